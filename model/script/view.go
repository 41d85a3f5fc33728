package script

import (
	"rein"
)

// A view is a request as conditions see it.
type view struct {
	req     rein.ModelRequest
	turn    int // 1 + the number of assistant messages in the prompt
	results int // the number of tool messages in the prompt
	attempt int
	bytes   int            // of the prompt
	nth     map[*entry]int // of the entries that count

	last, user, tool *rein.Message // the newest of its kind, or nil
}

func newView(r rein.ModelRequest, attempt int) *view {
	v := &view{req: r, turn: 1, attempt: attempt}
	for i := range r.Messages {
		v.add(&r.Messages[i])
	}
	return v
}

func (v *view) add(m *rein.Message) {
	v.bytes += len(m.Text)
	for _, c := range m.Calls {
		v.bytes += len(c.Name) + len(c.Args)
	}
	switch m.Role {
	case rein.Assistant:
		v.turn++
	case rein.ToolRole:
		v.results++
		v.tool, v.last = m, m
	case rein.User:
		v.user, v.last = m, m
	}
}

// offered returns the names of the tools in the request. A request that was made by hand may have
// the names only.
func (v *view) offered() []string {
	if len(v.req.Offered) == 0 {
		return v.req.Tools
	}
	names := make([]string, len(v.req.Offered))
	for i, t := range v.req.Offered {
		names[i] = t.Name
	}
	return names
}

// texts returns the text of all messages of the given roles, or of all messages.
func (v *view) texts(roles ...rein.Role) []string {
	var texts []string
	for _, m := range v.req.Messages {
		ok := len(roles) == 0
		for _, r := range roles {
			ok = ok || m.Role == r
		}
		if ok {
			texts = append(texts, m.Text)
		}
	}
	return texts
}

// textOf returns the text of a message that may be missing.
func textOf(m *rein.Message) []string {
	if m == nil {
		return nil
	}
	return []string{m.Text}
}
