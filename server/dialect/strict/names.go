package strict

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"rein/household/shelf"
)

// namesFiles lists the fields of arguments and results that hold names of files. People are shown the
// name alone: folders and addresses with their keys are no business of a page.
var namesFiles = []string{"file", "file_name", "file_names", "filename", "filenames", "files", "original_filename", "returned_file_names"}

// showArguments returns the arguments of a call for people.
func showArguments(args json.RawMessage) json.RawMessage {
	if shown, ok := shortNames(args); ok {
		return shown
	}
	return asJSON(args)
}

// asJSON returns arguments as they are. What is not JSON is shown as a text.
func asJSON(args json.RawMessage) json.RawMessage {
	if len(args) == 0 {
		return json.RawMessage("{}")
	}
	if json.Valid(args) {
		return args
	}
	text, err := json.Marshal(string(args))
	if err != nil {
		return json.RawMessage(`""`)
	}
	return text
}

// showResult returns a result for people. Only one that is a JSON object has fields with names.
func showResult(text string) string {
	if !strings.HasPrefix(strings.TrimSpace(text), "{") {
		return text
	}
	if shown, ok := shortNames([]byte(text)); ok {
		return string(shown)
	}
	return text
}

// shortNames reduces the names of files in an object; ok says that there were any to reduce.
func shortNames(data []byte) (short []byte, ok bool) {
	var value any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if d.Decode(&value) != nil || !shorten(value, 0) {
		return nil, false
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if e.Encode(value) != nil {
		return nil, false
	}
	return bytes.TrimSpace(out.Bytes()), true
}

// shorten changes what is below a value, and reports whether it did. Names are looked for in what
// people write by hand, not in the depths of data.
func shorten(value any, depth int) (changed bool) {
	const deepest = 8
	if depth > deepest {
		return false
	}
	switch value := value.(type) {
	case []any:
		for _, v := range value {
			changed = shorten(v, depth+1) || changed
		}
	case map[string]any:
		for key, v := range value {
			if slices.Contains(namesFiles, strings.ToLower(key)) {
				changed = shortenName(value, key, v) || changed
			}
			changed = shorten(value[key], depth+1) || changed
		}
	}
	return changed
}

// shortenName changes a field that holds a name, or a list of them.
func shortenName(object map[string]any, key string, v any) (changed bool) {
	switch v := v.(type) {
	case string:
		short := fileName(v)
		object[key] = short
		return short != v
	case []any:
		for i := range v {
			if name, ok := v[i].(string); ok {
				v[i] = fileName(name)
				changed = changed || v[i] != name
			}
		}
	}
	return changed
}

// fileName reduces a name, a path or an address to the name of a file.
func fileName(name string) string {
	if strings.Contains(name, "://") || strings.HasPrefix(name, "/") {
		name, _, _ = strings.Cut(name, "?") // an address may carry a key
	}
	return shelf.BaseName(name)
}
