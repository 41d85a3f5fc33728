package args

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"

	"rein"
	"rein/internal/lenient"
)

// decode reads canonical JSON; numbers keep their spelling.
func decode(data json.RawMessage) (any, error) {
	value, err := decodeStrict(data)
	if err == nil && deeper(value, maxDepth) {
		return nil, &Problem{Msg: "they are nested more than " + strconv.Itoa(maxDepth) + " deep", Offset: -1}
	}
	return value, err
}

func decodeStrict(data []byte) (any, error) {
	var value any
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if err := dec.Decode(&value); err != nil {
		offset := len(data)
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
			offset = max(0, int(syntax.Offset)-1)
		}
		return nil, &Problem{Msg: "they are not JSON: " + err.Error(), Offset: offset}
	}
	if end := dec.InputOffset(); len(bytes.TrimSpace(data[end:])) > 0 {
		return nil, &Problem{Msg: "they are not JSON: there is more after the value", Offset: int(end)}
	}
	return value, nil
}

func deeper(value any, levels int) bool {
	if levels < 0 {
		return true
	}
	switch v := value.(type) {
	case map[string]any:
		for _, part := range v {
			if deeper(part, levels-1) {
				return true
			}
		}
	case []any:
		for _, part := range v {
			if deeper(part, levels-1) {
				return true
			}
		}
	}
	return false
}

func encode(value any) (json.RawMessage, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// plain returns the value as the validator wants it: it takes a json.Number for a string. Whole
// numbers stay exact as far as 64 bits go; what no float64 can hold is a problem.
func plain(value any, path string) (any, *Problem) {
	switch v := value.(type) {
	case json.Number:
		return plainNumber(v, path)
	case map[string]any:
		out := make(map[string]any, len(v))
		for _, key := range sortedKeys(v) {
			part, problem := plain(v[key], join(path, key))
			if problem != nil {
				return nil, problem
			}
			out[key] = part
		}
		return out, nil
	case []any:
		out := make([]any, len(v))
		for i := range v {
			part, problem := plain(v[i], join(path, strconv.Itoa(i)))
			if problem != nil {
				return nil, problem
			}
			out[i] = part
		}
		return out, nil
	}
	return value, nil
}

func plainNumber(n json.Number, path string) (any, *Problem) {
	if i, err := strconv.ParseInt(n.String(), 10, 64); err == nil {
		return i, nil
	}
	if u, err := strconv.ParseUint(n.String(), 10, 64); err == nil {
		return u, nil
	}
	f, err := strconv.ParseFloat(n.String(), 64)
	if err != nil || math.IsInf(f, 0) {
		return nil, &Problem{Msg: show(n) + " is too large a number", Path: path, Offset: -1}
	}
	return f, nil
}

// join extends a JSON pointer. A name longer than anyone's is clipped.
func join(path, part string) string {
	return path + "/" + escape(rein.Clip(part, maxShown))
}

// escape writes a name as a part of a JSON pointer.
func escape(part string) string { return pointerEscapes.Replace(part) }

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

func syntaxProblem(err error) *Problem {
	p := &Problem{Msg: "they are not JSON: " + err.Error(), Offset: -1}
	if e, ok := errors.AsType[*lenient.Error](err); ok {
		p.Offset = e.Offset
	}
	return p
}
