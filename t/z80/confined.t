# An emulated program sees plain files of the current folder and nothing else: no other folder, link, device or
# pipe, by no name, drive or user; without --allow-write it changes nothing.
use strict;
use warnings;

use lib 't/lib';

use DProf::Test qw(dprofpp in_folder slurp spew);
use Devel::DProf::Profile;
use File::Temp ();
use POSIX ();
use Test::More;

plan skip_all => 'built without libz80ex' if !Devel::DProf::Profile::can_run_z80();

my ($OPEN, $CLOSE, $FIRST, $NEXT, $DELETE, $READ, $WRITE, $MAKE, $RENAME, $USER, $READ_AT, $WRITE_AT, $SIZE, $FILL_AT)
    = (15, 16, 17, 18, 19, 20, 21, 22, 23, 32, 33, 34, 35, 40);
my $folder = File::Temp->newdir;

# A file control block: drive, 11 bytes of name, and 24 more; with a second name at 16 for a rename.
sub block {
    my ($name, $new, $drive) = @_;
    return pack('C a11 x4', $drive || 0, $name) . pack('x a11 x4', defined $new ? $new : '') . "\0" x 4;
}

# Runs calls, each [number, block] or [number, word]; what each gave back in A.
sub results {
    my ($options, @calls) = @_;
    my $code = '';
    my $blocks = '';
    my $first = 0x100 + 11 * @calls + 1;
    for my $i (0 .. $#calls) {
        my ($call, $with) = @{ $calls[$i] };
        my $de = $with;
        if (length $with > 5) {
            $de = $first + length $blocks;
            $blocks .= $with;
        }
        $code .= pack 'C C C v C v C v', 0x0E, $call, 0x11, $de, 0xCD, 5, 0x32, 0x4000 + $i;    # ...; LD (4000+i),A
    }
    spew('x.com', "$code\xC9$blocks");
    my $run = dprofpp(['--run', '-Q', '--dump', '../memory', @$options, 'x.com']);
    return ([unpack 'C*', substr slurp('../memory'), 0x4000, scalar @calls], $run->{err});
}

sub everything {
    my ($dir) = @_;
    opendir my $dh, $dir or die;
    return { map { ($_ => -l "$dir/$_" ? 'link ' . readlink "$dir/$_" : -f _ ? slurp("$dir/$_") : 'other') }
            grep { $_ !~ /\A(?:x\.com|tmon\.out|\.\.?)\z/ } readdir $dh };
}

mkdir "$folder/in";
mkdir "$folder/out";
spew("$folder/out/secret.txt", 'secret ' x 30);
in_folder("$folder/in", sub {
    mkdir 'sub.dir';
    spew('sub.dir/deep.txt', 'deep');
    spew('plain.txt', 'plain ' x 30);
    spew('a-name-that-is-too-long.txt', 'long');
    spew('two.dots.txt', 'dots');
    spew('.hid', 'hidden');
    symlink '../out/secret.txt', 'link.txt';
    symlink '../out', 'outside';
    symlink 'nowhere', 'dangling';
    POSIX::mkfifo('pipe', 0600) or die $!;
    my $before = everything('.');

    # Names that must lead nowhere: each is opened, sized, made, written, renamed to and from, deleted.
    my @names = ('LINK    TXT', 'OUTSIDE    ', 'DANGLING   ', 'PIPE       ', 'SUB     DIR', '..         ', '.          ',
        '../OUT/SECR', '../OUT  TXT', '/ETC/PASSWD', '/       ETC', "SUB.DIR/DEE", 'SUB/    TXT', '        HID', '.HID       ',
        "\0\0\0\0\0\0\0\0\0\0\0", 'A-NAME-TTXT', 'TWO.DOTSTXT', 'TWO     DOT', "\\       TXT", '..\\OUT  TXT',
        "\xAF\xAE\xAE\xAF    TXT", 'SECRET  TXT', "NUL\0    TXT", "DEV\nTTY TXT", 'C:PLAIN TXT', '~       TXT', '$(ID)   /  ');
    for my $leave ([], ['--allow-write']) {
        my @calls = map { my $name = $_; ([$OPEN, block($name)], [$SIZE, block($name)], [$READ, block($name)],
            [$READ_AT, block($name)], [$WRITE, block($name)], [$WRITE_AT, block($name)], [$FILL_AT, block($name)],
            [$RENAME, block($name, 'NEWNAME    ')], [$DELETE, block($name)]) } @names;
        my ($got) = results([@$leave, '--seconds', 20], @calls);
        is_deeply($got, [map { $_->[0] == $READ || $_->[0] == $READ_AT ? 1 : $_->[0] == $WRITE || $_->[0] == $WRITE_AT
            || $_->[0] == $FILL_AT ? 2 : 255 } @calls], "@$leave: names that lead nowhere are not there");
        is_deeply(everything('.'), $before, "@$leave: and nothing changed");
    }
    is_deeply([grep { !-e } map { "../out/$_" } 'secret.txt'], [], 'what is outside is there');

    # To make, or to rename to, such a name is refused too, with leave; what is there is not replaced.
    my @bad = grep { !/SECRET|NEWNAME|~|A-NAME|TWO     DOT/ } @names;
    my ($made) = results(['--allow-write'], map({ [$MAKE, block($_)] } @bad),
        map({ [$RENAME, block('PLAIN   TXT', $_)] } @bad));
    is_deeply([grep { $_ != 255 } @$made], [], 'no such name is made') or diag "@$made";
    is_deeply(everything('.'), $before, 'nor anything replaced');

    # Drives and users are all this folder.
    my ($seen) = results([], [$OPEN, block('PLAIN   TXT')], [$OPEN, block('PLAIN   TXT', undef, 2)], [$USER, 5],
        [$OPEN, block('PLAIN   TXT')], [$USER, 0xFF], [$OPEN, block('LINK    TXT', undef, 16)]);
    is_deeply($seen, [0, 0, 0, 0, 5, 255], 'drives and users are this folder');

    # A search sees plain files alone.
    my ($found) = results([], [$FIRST, block('???????????')], map { [$NEXT, block('')] } 1 .. 4);
    my $files = grep { /\A[^.]{1,8}(?:\.[^.]{0,3})?\z/ && !-l && -f } do { opendir my $dh, '.' or die; readdir $dh };
    is(scalar(grep { $_ == 0 } @$found), $files, 'a search finds as many files as are plain and fit');

    # A plain file: read without leave, changed only with it.
    my @change = ([$OPEN, block('PLAIN   TXT')], [$WRITE, block('PLAIN   TXT')], [$WRITE_AT, block('PLAIN   TXT')],
        [$FILL_AT, block('PLAIN   TXT')], [$RENAME, block('PLAIN   TXT', 'OTHER   TXT')], [$DELETE, block('PLAIN   TXT')],
        [$DELETE, block('???????????')], [$MAKE, block('NEW     TXT')]);
    my ($refused, $said) = results([], @change);
    is_deeply($refused, [0, 2, 2, 2, 255, 255, 255, 255], 'without leave it is only read');
    like($said, qr/wanted to change files and was not allowed to: --allow-write lets it/, 'which is said');
    is_deeply(everything('.'), $before, 'it is as it was');
    ($made) = results(['--allow-write'], @change[0 .. 4], [$MAKE, block('NEW     TXT')], [$DELETE, block('???????????')]);
    is_deeply($made, [0, 0, 0, 0, 0, 0, 0], 'with leave it is changed, renamed, and deleted with all that fit');
    delete @$before{qw(plain.txt)};
    is_deeply(everything('.'), $before, 'and nothing but plain files that fit');
    is_deeply(everything('../out'), { 'secret.txt' => 'secret ' x 30 }, 'outside all is as it was');
});

done_testing;
