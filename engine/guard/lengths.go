package guard

import "rein"

// Lengths are how long a conversation is at most, as Cut looks at it. They are added up message by message, so that
// a conversation that grows need not be read again at each step.
type Lengths struct {
	Spoken int // messages of the conversation
	Bytes  int // that they say
	Past   int // … of which in messages of earlier runs
}

// Add adds messages.
func (l *Lengths) Add(messages []rein.Message) {
	for i := range messages {
		m := &messages[i]
		if !instruction(*m) {
			l.Spoken++
		}
		size := sizeOf(messages[i : i+1])
		l.Bytes += size
		if m.Past != nil {
			l.Past += size
		}
	}
}

// Fit reports whether Cut has surely nothing to do.
func (l Lengths) Fit(c rein.Compact, info rein.ModelInfo) bool {
	c = orDefaults(c)
	return l.Spoken <= c.Messages && l.Past <= mostPast &&
		(info.Window <= 0 || float64(int64(l.Bytes+3)/4) <= c.Share*float64(info.Window))
}
