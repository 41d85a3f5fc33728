package script

import (
	"strings"
	"testing"

	"rein"
)

// Whatever the text, Parse returns, and what it accepts can be matched, filled and missed.
func FuzzParse(f *testing.F) {
	f.Add("# c\nmodel m\nwindow 8\nmax_output 4\nprice in=1 out=2.5\nturn 1 phase=a* last~\"x\"\nsay hi\ncall t {\"a\":1} id=c\nusage in=1 out=2\n")
	f.Add("when turn=2..3 nth=1 run!=r1.* closing=yes\nfail provider \"m\" times=2\ncut `x y` times=1\nslow 1s\ndrip 2ms\nmalformed t `{` id=q\nwrong-tool x\noverrun")
	f.Add("when any!~\"\\xff\"\nsay <<E\n  a\n  E\nempty times=1\nmalformed\nusage none\nwhen\nhang")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := Parse("f", []byte(text))
		if err != nil {
			if rein.CodeOf(err) != rein.CodeInvalid || !strings.HasPrefix(err.Error(), "f:") {
				t.Fatalf("a parse error without code or place: %v", err)
			}
			return
		}
		r := rein.ModelRequest{Offered: []rein.Tool{{Name: "t"}}}
		r.Messages = []rein.Message{{Role: rein.User, Text: text}}
		v, _, call := m.begin(r)
		m.end(call, rein.ModelReply{}, m.miss(v))
		for _, e := range m.entries {
			var msg rein.Message
			if m.fill(&msg, e, v) == nil {
				m.usage(e, v, msg)
			}
			var b strings.Builder
			for piece := range pieces(msg.Text) {
				b.WriteString(piece)
			}
			if b.String() != msg.Text {
				t.Fatalf("pieces of %q make %q", msg.Text, b.String())
			}
		}
	})
}
