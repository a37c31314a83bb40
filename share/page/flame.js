// (the stand-alone SVG)
