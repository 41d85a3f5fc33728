package openai

import (
	"encoding/json"
	"sync"

	"rein"
)

// A toolList keeps tools as they are sent: the same ones are offered again and again, and their schemas
// are long.
type toolList struct {
	mu    sync.Mutex
	known map[toolKey]sentTool
}

// A toolKey tells tools apart by where their schema is, which nobody changes, rather than by its text.
type toolKey struct {
	name, description string
	schema            *byte
	size              int
}

// A sentTool holds on to the schema, so that no other can be where it was.
type sentTool struct{ sent, schema []byte }

// maxKnownTools bounds the memory of a program that makes tools without end.
const maxKnownTools = 4096

// list returns a JSON list of tools, or nothing if there are none.
func (l *toolList) list(offered []rein.Tool, n names, write func(b []byte, name, description string, schema json.RawMessage) []byte) ([]byte, error) {
	if len(offered) == 0 {
		return nil, nil
	}
	b := []byte{'['}
	for i, t := range offered {
		sent, err := l.one(t, n.to(t.Name), write)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, sent...)
	}
	return append(b, ']'), nil
}

func (l *toolList) one(t rein.Tool, name string, write func(b []byte, name, description string, schema json.RawMessage) []byte) ([]byte, error) {
	key := toolKey{name: name, description: t.Description, size: len(t.Schema)}
	if key.size > 0 {
		key.schema = &t.Schema[0]
	}
	l.mu.Lock()
	known, ok := l.known[key]
	l.mu.Unlock()
	if ok {
		return known.sent, nil
	}
	schema, err := paramsOf(t)
	if err != nil {
		return nil, err
	}
	sent := write(nil, name, t.Description, encode(schema))
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.known == nil || len(l.known) >= maxKnownTools {
		l.known = map[toolKey]sentTool{}
	}
	l.known[key] = sentTool{sent, t.Schema}
	return sent, nil
}

// paramsOf returns the schema of a tool's arguments; a tool that takes none has an empty object.
func paramsOf(t rein.Tool) (map[string]any, error) {
	schema := map[string]any{}
	if len(t.Schema) > 0 {
		if err := json.Unmarshal(t.Schema, &schema); err != nil {
			return nil, rein.Errorf(rein.CodeInvalid, "tool %q: its schema must be a JSON object: %w", t.Name, err)
		}
	}
	if schema["type"] == nil {
		schema["type"] = "object"
	}
	if schema["properties"] == nil {
		schema["properties"] = map[string]any{}
	}
	return schema, nil
}
