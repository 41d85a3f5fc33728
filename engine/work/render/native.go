package render

import "rein"

// asNative writes calls and results as the provider's API has them.
func asNative(parts []part) []rein.Message {
	var out []rein.Message
	for _, p := range parts {
		if p.orphan {
			out = append(out, p.note())
			continue
		}
		out = append(out, p.Message)
		for _, e := range p.done {
			result := e.result
			result.Status = e.status()
			result.Text = e.heading() + e.quoted()
			out = append(out, result)
		}
	}
	return out
}
