package past

import (
	"rein"
	"rein/engine/guard"
)

// summaryPrompt bounds what a summary is made of, in tokens.
const summaryPrompt = 24_000

// SummaryPrompt asks a model for a summary of what was said.
func SummaryPrompt(said []rein.Message) []rein.Message {
	return guard.SummaryPrompt(said, "", summaryPrompt)
}

// DigestOf names what was said.
func DigestOf(said []rein.Message) rein.Hash { return guard.PrefixDigest(said) }

// IsNew reports whether something was said that no fold stands for.
func IsNew(said []rein.Message) bool {
	return len(said) > 0 && said[len(said)-1].Past != nil && said[len(said)-1].Past.Run != ""
}

// SizeOf is how long what was said is, in bytes.
func SizeOf(said []rein.Message) (n int) {
	for _, m := range said {
		n += len(m.Text)
	}
	return n
}

// FoldOf makes the fold that stands for all that was said, with what a model wrote of it. It is not ok if that is not
// notably shorter.
func FoldOf(said []rein.Message, reply string) (Fold, bool) {
	summary, ok := guard.Summary(reply, said, said)
	if !ok {
		return Fold{}, false
	}
	f := Fold{Digest: DigestOf(said), Text: summary.Text}
	for _, m := range said {
		switch n := len(f.Runs); {
		case m.Past == nil:
			return Fold{}, false // it belongs to no run, so nobody could tell what the fold stands for
		case m.Past.Run == "":
			f.Base = m.Past.Fold
		case n == 0 || f.Runs[n-1] != m.Past.Run:
			f.Runs = append(f.Runs, m.Past.Run)
		}
	}
	return f, true
}
