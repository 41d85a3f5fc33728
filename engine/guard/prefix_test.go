package guard

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"rein"
)

// digestBefore is PrefixDigest as it was when the first logs were written.
func digestBefore(messages []rein.Message) rein.Hash {
	type call struct{ ID, Name, Args string }
	type said struct {
		Role, Text, CallID, Status string
		FromPerson                 bool
		Calls                      []call
		Past                       *rein.Past `json:",omitempty"`
	}
	all := make([]said, 0, len(messages))
	for _, m := range messages {
		s := said{string(m.Role), m.Text, m.CallID, string(m.Status), m.FromPerson, nil, m.Past}
		for _, c := range m.Calls {
			s.Calls = append(s.Calls, call{c.ID, c.Name, string(c.Args)})
		}
		all = append(all, s)
	}
	data, _ := json.Marshal(all)
	return rein.PayloadDigest([]byte("prefix"), data)
}

func anyMessages(r *rand.Rand, n int) []rein.Message {
	texts := []string{"", "plain", "a\"b\\<&>\n\u2028", "\xff\x00é😀"}
	text := func() string { return texts[r.IntN(len(texts))] }
	var all []rein.Message
	for range r.IntN(n) {
		m := rein.Message{
			Role: []rein.Role{rein.System, rein.Developer, rein.User, rein.Assistant, rein.ToolRole}[r.IntN(5)],
			Text: text(), CallID: text(), Status: rein.ToolStatus(text()), FromPerson: r.IntN(2) == 0, Note: text(), Pinned: r.IntN(2) == 0,
		}
		for range r.IntN(3) {
			m.Calls = append(m.Calls, rein.ToolCall{ID: text(), Name: text(), Args: []byte(text())})
		}
		switch r.IntN(4) {
		case 0:
			m.Past = &rein.Past{Run: rein.RunID(text())}
		case 1:
			m.Past = &rein.Past{Fold: rein.Hash{byte(r.IntN(2))}, Run: rein.RunID(text())}
		}
		all = append(all, m)
	}
	return all
}

// TestPrefixDigestStays holds for logs of every age: their summaries are found by this digest.
func TestPrefixDigestStays(t *testing.T) {
	for seed := range uint64(2000) {
		messages := anyMessages(rand.New(rand.NewPCG(seed, 2)), 6)
		if PrefixDigest(messages) != digestBefore(messages) {
			t.Fatalf("seed %d: the digest has changed of %+v\nwhich is written as %s", seed, messages, appendPrefix(nil, messages))
		}
	}
}

// TestLengthsFit says that whoever looks at lengths alone never misses a history that is too long.
func TestLengthsFit(t *testing.T) {
	fit, cut := 0, 0
	for seed := range uint64(4000) {
		r := rand.New(rand.NewPCG(seed, 3))
		messages := anyMessages(r, 60)
		for i := range messages {
			messages[i].Text = fmt.Sprintf("%*d", r.IntN(3000), i)
		}
		c := rein.Compact{Messages: r.IntN(60), Keep: r.IntN(10), Share: r.Float64()}
		info := rein.ModelInfo{Window: int64(r.IntN(3)) * 10_000}
		var l Lengths
		at := r.IntN(len(messages) + 1)
		l.Add(messages[:at])
		l.Add(messages[at:])
		_, long := Cut(messages, c, info, 0)
		if l.Fit(c, info) {
			fit++
			if long {
				t.Fatalf("seed %d: %d messages fit by their lengths %+v and are cut", seed, len(messages), l)
			}
		} else if long {
			cut++
		}
	}
	if fit < 100 || cut < 100 {
		t.Errorf("%d fit and %d are cut: this shows nothing", fit, cut)
	}
}
