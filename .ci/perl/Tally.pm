# A harness for prove: besides the summary that prove prints, this one prints each failure with its message, the names of
# the skipped tests, and a closing line with the three counts.
package Tally;
use strict;
use warnings;
use parent 'TAP::Harness';

my $KEPT = 200; # lines of a program's output, for a program that ends without a test to blame
my (@failures, @skips, %tail, %blamed, %skipped_all);

sub name_of {
  my ($test) = @_;
  (my $name = $test->description) =~ s/^- //;
  return $name;
}

sub make_parser {
  my ($self, $job) = @_;
  my ($parser, $session) = $self->SUPER::make_parser($job);
  my $step = $job->description;
  my $failure;   # the failure that the next comments belong to
  my @before;    # lines that are not TAP, which a program prints before the test that they belong to
  $tail{$step} = [];
  $parser->callback(
    ALL => sub {
      my ($line) = @_;
      push @{ $tail{$step} }, $line->raw;
      shift @{ $tail{$step} } if @{ $tail{$step} } > $KEPT;
      if ($line->is_comment) { push @$failure, '    ' . $line->raw if $failure }
      elsif ($line->is_unknown) { push @before, '    ' . $line->raw }
      elsif ($line->is_test) { $failure = note_test($step, $line, splice @before) }
      elsif ($line->is_plan && $line->has_skip) { push @skips, "$step: " . $line->explanation; $skipped_all{$step} = 1 }
    });
  return ($parser, $session);
}

# Returns the list that holds the lines of a failure, or nothing for a test that has not failed.
sub note_test {
  my ($step, $test, @before) = @_;
  push @skips, join ' ', "$step:", grep { length } name_of($test), $test->explanation if $test->has_skip;
  return if $test->is_ok;
  my $failure = ["FAILED: $step: " . name_of($test), @before];
  push @failures, $failure;
  $blamed{$step}++;
  return $failure;
}

# A program has also failed when it ends with an error, or with another number of tests than it has planned. Each of
# these counts as one failure, unless a failed test explains it.
sub failures_of_programs {
  my ($aggregate) = @_;
  my $count = 0;
  for my $step ($aggregate->descriptions) {
    my ($parser) = $aggregate->parsers($step);
    next if !$parser->has_problems && ($parser->tests_run || $skipped_all{$step});
    next if $blamed{$step} && !$parser->parse_errors;
    $count++;
    my $why = join '; ', $parser->wait ? 'wait status ' . $parser->wait : (), $parser->parse_errors;
    push @failures, ["FAILED: $step: $why", map { "    $_" } @{ $tail{$step} }];
  }
  return $count;
}

sub summary {
  my ($self, $aggregate) = @_;
  $self->SUPER::summary($aggregate);
  my $failed = $aggregate->failed + failures_of_programs($aggregate);
  my $passed = $aggregate->passed - $aggregate->skipped;
  print map { "$_\n" } map { @$_ } @failures;
  print map { "skipped: $_\n" } @skips;
  printf "%d passed, %d failed, %d skipped\n", $passed, $failed, scalar @skips;
}

1;
