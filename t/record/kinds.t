# Every kind of call that perl has is recorded, as often as it was made, by every way of recording.
use strict;
use warnings;
use lib 't/lib';
use DProf::Record;
use Test::More;

plan skip_all => 'the program needs perl 5.22' if $] < 5.022;

my %want;
$want{$_} = 3 for qw(
    main::plain main::meth main::dynmeth main::amp main::sortproto main::dies
    main::lastout main::lexsub main::lval main::folded main::sig main::evs main::fmt main::gs main::gt main::gx
    main::incb main::isacb main::mapcb main::mapcb2 main::rx main::sub_e main::sigh main::warnh main::dieh
    UNIVERSAL::univ Scalar::Util::dualvar Scalar::Util::readonly cat::closure cat::first_cb cat::reduce_cb
    cat::any_cb cat::pairmap_cb T::FETCH T::STORE O::ov_add O::ov_str D::DESTROY IM::import IM::unimport
    UI::isa TA::FETCH main::nosuchsub
);
$want{$_} = 1 for qw(
    main::ev1 main::ev2 main::ev3 List::Util::first List::Util::reduce List::Util::any List::Util::pairmap
    T::TIESCALAR TA::TIEARRAY TA::FETCHSIZE UNIVERSAL::isa
);
$want{$_} = 0 for qw(main::CST main::AUTOLOAD main::__SUBcb main::thr_import);

for my $way (ways()) {
    my $name    = $way || 'as it comes';
    my $run     = same(data('kinds.pl'), $name, options => $way);
    my $profile = $run->{profile};
    calls_are($profile, \%want, "$name: each kind of call, as often as it was made");
    my $sorted = $profile->calls('main::sortsub');
    ok $sorted == 2 || $sorted == 3, "$name: a sort sub, once for each comparison ($sorted)";
    for my $phase (qw(INIT END)) {
        my @found = grep { /^main::$phase\[kinds\.pl:\d+\]\z/ } $profile->names;
        is @found, 1, "$name: one $phase, named by its place";
        is $profile->calls(@found), 1, "$name: called once" if @found;
    }
}
done_testing;
