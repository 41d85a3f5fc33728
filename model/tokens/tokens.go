// Package tokens estimates how many tokens a request has, to pace calls. It is fast rather than
// exact: what may be spent is bounded by bytes, elsewhere.
package tokens

import (
	"rein"
)

// What a request has besides its texts, roughly.
const (
	perMessage = 4    // roles and framing
	perTool    = 12   // the words around a tool's description
	perImage   = 1200 // an image of usual size
	reply      = 512  // a reply of usual length
)

// Estimate guesses the tokens of a request and of a usual reply to it. It never fails, and takes no
// longer than some milliseconds for texts that it has seen before or that are not huge; of huge ones
// it looks at samples.
func Estimate(model string, r rein.ModelRequest) int64 {
	c := counterFor(model)
	b := newBudget()
	n := c.count(string(r.Schema), b)
	for _, m := range r.Messages {
		n += c.message(m, b)
	}
	for _, t := range r.Offered {
		n += perTool + c.count(t.Name, b) + c.count(t.Description, b) + c.count(string(t.Schema), b)
	}
	if r.MaxTokens > 0 {
		return n + min(r.MaxTokens, reply)
	}
	return n + reply
}

// message counts a message as it is sent: in the provider's own form if there is one.
func (c *counter) message(m rein.Message, b *budget) int64 {
	n := perMessage + perImage*int64(len(m.Images))
	if m.Raw != nil {
		return n + c.count(string(m.Raw.Data), b)
	}
	n += c.count(m.Text, b)
	for _, call := range m.Calls {
		n += perMessage + c.count(call.Name, b) + c.count(string(call.Args), b)
	}
	return n
}
