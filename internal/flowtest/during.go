package flowtest

import (
	"context"
	"strings"
	"sync"

	"rein"
)

// during is what people say while something is under way, each line once and in their order:
//
//	tool NAME COMMAND TEXT     while the tool runs
//	model PHASE COMMAND TEXT   while the model is asked in that phase
//
// The commands are message, modify, comment, stop, cancel and delete. They are sent before the tool or
// the model answers. The tool must not be pure: of a pure call the log need not hold the beginning yet,
// so what people say could come before it.
type during struct {
	mu    sync.Mutex
	lines []string
}

// next takes the next line, if it is for this place.
func (d *during) next(place string) (command rein.Command, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.lines) == 0 {
		return rein.Command{}, false
	}
	said, ok := strings.CutPrefix(d.lines[0], place+" ")
	if !ok {
		return rein.Command{}, false
	}
	d.lines = d.lines[1:]
	kind, text, _ := strings.Cut(said, " ")
	return rein.Command{Kind: rein.CommandKind(kind), By: "ann", Text: text}, true
}

// listen lets people speak while the model or a tool is at work.
func (p *player) listen(tools map[string]rein.Tool) {
	speak := func(run rein.RunID, place string) {
		c, ok := p.during.next(place)
		if !ok {
			return
		}
		c.Run = run
		if _, err := p.engine.Command(context.Background(), c); err != nil {
			p.t.Errorf("during %s: %v", place, err)
		}
	}
	p.model.Hook = func(r rein.ModelRequest) { speak(r.Run, "model "+r.Phase) }
	for name, tool := range tools {
		do := tool.Do
		if do == nil || tool.Effect == rein.Pure {
			continue
		}
		tool.Do = func(ctx context.Context, inv rein.Invocation) (rein.Done, error) {
			speak(inv.Run, "tool "+name)
			return do(ctx, inv)
		}
		tools[name] = tool
	}
}
