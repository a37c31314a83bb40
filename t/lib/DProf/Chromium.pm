package DProf::Chromium;

use strict;
use warnings;

# A browser without a window, driven through chromedriver by the WebDriver protocol.

use HTTP::Tiny;
use JSON::PP ();

# What is missing to use it, or ''.
sub lacking {
    for my $program (qw(chromedriver chromium)) {
        return "$program is not installed" if !grep { -x "$_/$program" } split /:/, $ENV{PATH} || '';
    }
    return '';
}

# how: width, height, dark.
sub new {
    my ($class, %how) = @_;
    my $pid = open my $out, '-|', 'chromedriver', '--port=0' or die "chromedriver: $!\n";
    my $self = bless { pid => $pid, out => $out, http => HTTP::Tiny->new(timeout => 120) }, $class;
    while (my $line = <$out>) {
        next if $line !~ /started successfully on port (\d+)/;
        $self->{port} = $1;
        last;
    }
    die "chromedriver did not start\n" if !$self->{port};
    my @args = ('--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--hide-scrollbars',
        '--window-size=' . ($how{width} || 1300) . ',' . ($how{height} || 1000),
        $how{dark} ? '--blink-settings=preferredColorScheme=0' : ());
    my $made = $self->call('POST', '', { capabilities => { alwaysMatch => { browserName => 'chrome',
        'goog:chromeOptions' => { args => \@args }, 'goog:loggingPrefs' => { browser => 'ALL' } } } });
    $self->{session} = $made->{sessionId};
    return $self;
}

sub call {
    my ($self, $method, $path, $content) = @_;
    my $session = $self->{session} ? "/$self->{session}" : '';
    my $got = $self->{http}->request($method, "http://127.0.0.1:$self->{port}/session$session$path",
        { headers => { 'Content-Type' => 'application/json' }, $content ? (content => JSON::PP::encode_json($content)) : () });
    my $value = eval { JSON::PP::decode_json($got->{content})->{value} };
    die "$method $path: ", $value ? $value->{message} : $got->{content}, "\n" if !$got->{success};
    return $value;
}

sub get {
    my ($self, $address) = @_;
    return $self->call('POST', '/url', { url => $address });
}

# What a function's body with these arguments returns.
sub js {
    my ($self, $code, @args) = @_;
    return $self->call('POST', '/execute/sync', { script => $code, args => \@args });
}

# A real key.
sub keys {
    my ($self, @keys) = @_;
    return $self->call('POST', '/actions', { actions => [{ type => 'key', id => 'keys',
        actions => [map { ({ type => 'keyDown', value => $_ }, { type => 'keyUp', value => $_ }) } @keys] }] });
}

# A real click at a place of an element, from its top left corner.
sub click {
    my ($self, $selector, $x, $y) = @_;
    my $at = $self->js('const e = document.querySelector(arguments[0]); e.scrollIntoView({ block: "center" });'
            . 'const b = e.getBoundingClientRect(); return [b.left, b.top, b.width, b.height];', $selector);
    $x = $at->[2] / 2 if !defined $x;
    $y = $at->[3] / 2 if !defined $y;
    return $self->call('POST', '/actions', { actions => [{ type => 'pointer', id => 'mouse', actions => [
        { type => 'pointerMove', x => int($at->[0] + $x), y => int($at->[1] + $y) },
        { type => 'pointerDown', button => 0 }, { type => 'pointerUp', button => 0 }] }] });
}

# What the console has heard since it was asked the last time.
sub console {
    my ($self) = @_;
    return map { $_->{message} } @{ $self->call('POST', '/se/log', { type => 'browser' }) };
}

# Errors alone.
sub errors {
    my ($self) = @_;
    return map { $_->{message} } grep { $_->{level} eq 'SEVERE' } @{ $self->call('POST', '/se/log', { type => 'browser' }) };
}

# A picture, as the bytes of a PNG.
sub picture {
    my ($self) = @_;
    require MIME::Base64;
    return MIME::Base64::decode_base64($self->call('GET', '/screenshot'));
}

sub DESTROY {
    my ($self) = @_;
    local ($@, $?, $!);
    eval { $self->call('DELETE', '') } if $self->{session};
    if ($self->{pid}) {
        kill 'TERM', $self->{pid};
        close $self->{out};
    }
    return;
}

1;
