package explore

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"rein"
)

// A place is how far a client has come: what it was given of the durable events, and of each text that
// was not whole by then. As text, which is the id of an SSE event, it is the run and the cursor of its
// tree, and the texts: "r1:12,4=3;19@1+57;4/3@1+10" has 57 bytes of the first attempt at step 19 of r1,
// and 10 of step 3 of its child r1.4.
type place struct {
	run    rein.RunID
	cursor string
	texts  map[textKey]reach
}

// A textKey names a text by the step that it is of.
type textKey struct {
	run  rein.RunID
	step rein.StepKey
}

// A reach is how much of a text was sent.
type reach struct {
	attempt, bytes int
}

func (p place) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%s", p.run, p.cursor)
	for _, key := range sortedTexts(p.texts) {
		b.WriteByte(';')
		if below, ok := strings.CutPrefix(string(key.run), string(p.run)+rein.Separator); ok {
			b.WriteString(below + "/")
		}
		fmt.Fprintf(&b, "%s@%d+%d", key.step, p.texts[key].attempt, p.texts[key].bytes)
	}
	return b.String()
}

func sortedTexts[T any](texts map[textKey]T) []textKey {
	return slices.SortedFunc(maps.Keys(texts), func(a, b textKey) int {
		if c := strings.Compare(string(a.run), string(b.run)); c != 0 {
			return c
		}
		return strings.Compare(string(a.step), string(b.step))
	})
}

// parsePlace reads the id of an event.
func parsePlace(id string) (place, error) {
	head, texts, several := strings.Cut(id, ";")
	run, cursor, ok := strings.Cut(head, ":")
	p := place{run: rein.RunID(run), cursor: cursor, texts: map[textKey]reach{}}
	if !ok || p.run.Check() != nil {
		return p, badPlace(id)
	}
	if !several {
		return p, nil
	}
	for part := range strings.SplitSeq(texts, ";") {
		if !p.addText(part) {
			return p, badPlace(id)
		}
	}
	return p, nil
}

// addText reads one text of an id.
func (p place) addText(part string) bool {
	at, sent, ok := strings.Cut(part, "@")
	attempt, bytes, ok2 := strings.Cut(sent, "+")
	if !ok || !ok2 {
		return false
	}
	key := textKey{run: p.run, step: rein.StepKey(at)}
	if below, step, isBelow := strings.Cut(at, "/"); isBelow {
		key = textKey{run: p.run + rein.Separator + rein.RunID(below), step: rein.StepKey(step)}
	}
	n, err := strconv.Atoi(attempt)
	size, err2 := strconv.Atoi(bytes)
	if err != nil || err2 != nil || n < 0 || size < 0 || key.step == "" || key.run.Check() != nil {
		return false
	}
	p.texts[key] = reach{n, size}
	return true
}

// seen returns, of each run of the tree, the newest event that the cursor says was given. The feed has
// checked the cursor before; see feed.Line.
func (p place) seen() map[rein.RunID]int64 {
	all := map[rein.RunID]int64{}
	own, below, _ := strings.Cut(p.cursor, ",")
	all[p.run], _ = strconv.ParseInt(own, 10, 64)
	for pair := range strings.SplitSeq(below, ",") {
		if name, seq, ok := strings.Cut(pair, "="); ok {
			all[p.run+rein.Separator+rein.RunID(name)], _ = strconv.ParseInt(seq, 10, 64)
		}
	}
	return all
}

func badPlace(id string) error {
	return rein.Errorf(rein.CodeInvalid, "%.100q is not a place in a stream: send the id of one of its events", id)
}
