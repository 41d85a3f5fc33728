package guard

// Past is a call that was run, by the digests of its name and arguments and of its result.
type Past struct{ Call, Result string }

// Repeats is the loop guard: it is true for the third identical call, and every later one, if the
// last two gave the same result. What was run in between does not matter; past is in the order in
// which calls were run, without those that were refused.
func Repeats(past []Past, call string) bool {
	var last *Past
	for i := len(past) - 1; i >= 0; i-- {
		switch {
		case past[i].Call != call:
		case last == nil:
			last = &past[i]
		default:
			return last.Result == past[i].Result
		}
	}
	return false
}

// Repeated is what a model is told in place of the result that it knows already.
const Repeated = "Not run: this very call, with these arguments, was made twice and gave the same result both times. " +
	"Use that result, change the arguments, or do something else."

// Stuck is what a model is told when it makes a call again that was refused as a repetition.
const Stuck = "Not run: this very call was refused before because it changes nothing. No more calls are possible: " +
	"answer with what is known."
