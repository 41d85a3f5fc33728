package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"rein"
)

// A form is what a server wants to know: a flat object. A person is asked for one field after the other.
type form struct {
	Properties map[string]field `json:"properties"`
	Required   []string         `json:"required"`
}

// A field is a part of a form.
type field struct {
	Type        string   `json:"type"`
	Title       string   `json:"title"`
	Description string   `json:"description"`
	Enum        []any    `json:"enum"`
	EnumNames   []string `json:"enumNames"`
	OneOf       []choice `json:"oneOf"`
	Default     any      `json:"default"`
	Items       struct {
		Enum  []any    `json:"enum"`
		AnyOf []choice `json:"anyOf"`
	} `json:"items"`
}

type choice struct {
	Const string `json:"const"`
	Title string `json:"title"`
}

const (
	maxFields  = 20
	maxChoices = 50
	maxTries   = 3    // for one field
	maxWish    = 2000 // bytes of what a server says
	leftOut    = "-"
)

// An asker puts a question to a person.
type asker func(context.Context, rein.Question) (rein.Answer, error)

// fill has a person fill in a form. No answer at all: they declined.
func fill(ctx context.Context, about string, schema any, ask asker) (map[string]any, error) {
	data, err := json.Marshal(schema)
	var f form
	if err == nil {
		err = json.Unmarshal(data, &f)
	}
	if err != nil || len(f.Properties) > maxFields {
		return nil, err
	}
	if len(f.Properties) == 0 {
		said, err := put(ctx, ask, about+"\nDo you agree?", []string{"yes", "no"})
		if err != nil || !strings.EqualFold(said, "yes") {
			return nil, err
		}
		return map[string]any{}, nil
	}
	answers := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(f.Properties)) {
		value, given, err := f.Properties[name].ask(ctx, about, name, slices.Contains(f.Required, name), ask)
		if err != nil || !given && value != leftOut {
			return nil, err
		}
		if given {
			answers[name] = value
		}
	}
	return answers, nil
}

// ask has a person fill in a field. What cannot be read is asked for again. A field that was left out is not given, and
// its value is leftOut.
func (f field) ask(ctx context.Context, about, name string, isRequired bool, ask asker) (value any, given bool, err error) {
	labels, values := f.choices()
	if len(labels) > maxChoices {
		return nil, false, nil
	}
	text := fmt.Sprintf("%s\nThis part, which it calls %q, needs %s.", about, clipped(cmp.Or(f.Title, name)), f.wants(labels))
	if f.Description != "" {
		text += "\n" + quoted(f.Description)
	}
	shown := labels
	if f.Type == "array" {
		shown = nil // several may be chosen
		text += "\nThere is: " + clipped(strings.Join(labels, ", "))
	}
	if !isRequired {
		text += "\n(" + leftOut + " leaves it out" + f.otherwise() + ".)"
	}
	why := ""
	for range maxTries {
		said, err := put(ctx, ask, why+text, shown)
		if err != nil || said == "" {
			return nil, false, err
		}
		if said == leftOut && !isRequired {
			return leftOut, false, nil
		}
		if value, ok := f.read(said, labels, values); ok {
			return value, true, nil
		}
		why = fmt.Sprintf("%.80q is not what it needs. ", said)
	}
	return nil, false, nil
}

// otherwise says what the server gets of a field that is left out: the SDK fills in what the form has for it.
func (f field) otherwise() string {
	if f.Default == nil {
		return ""
	}
	data, err := json.Marshal(f.Default)
	if err != nil {
		return ""
	}
	return ", and the server gets " + clipped(string(data))
}

// choices are what can be chosen: what people read, and what the server gets.
func (f field) choices() (labels []string, values []any) {
	for i, v := range slices.Concat(f.Enum, f.Items.Enum) {
		label := fmt.Sprint(v)
		if i < len(f.EnumNames) {
			label = f.EnumNames[i]
		}
		labels, values = append(labels, label), append(values, v)
	}
	for _, c := range slices.Concat(f.OneOf, f.Items.AnyOf) {
		labels, values = append(labels, cmp.Or(c.Title, c.Const)), append(values, c.Const)
	}
	if f.Type == "boolean" {
		return []string{"yes", "no"}, []any{true, false}
	}
	return labels, values
}

// wants says what has to be typed.
func (f field) wants(labels []string) string {
	switch {
	case f.Type == "array":
		return "one or more, with commas between them"
	case len(labels) > 0:
		return "one of the choices"
	case f.Type == "integer":
		return "a whole number"
	case f.Type == "number":
		return "a number"
	}
	return "a text"
}

// read understands what a person typed.
func (f field) read(said string, labels []string, values []any) (any, bool) {
	chosen := func(word string) (any, bool) {
		word = strings.TrimSpace(word)
		at := slices.IndexFunc(labels, func(label string) bool { return strings.EqualFold(label, word) })
		if at < 0 {
			at = slices.IndexFunc(values, func(v any) bool { return fmt.Sprint(v) == word })
		}
		if at < 0 {
			return nil, false
		}
		return values[at], true
	}
	switch {
	case f.Type == "array":
		all := []any{}
		for word := range strings.SplitSeq(said, ",") {
			value, ok := chosen(word)
			if !ok {
				return nil, false
			}
			all = append(all, value)
		}
		return all, true
	case len(labels) > 0:
		return chosen(said)
	case f.Type == "integer":
		n, err := strconv.ParseInt(said, 10, 64)
		return n, err == nil
	case f.Type == "number":
		n, err := strconv.ParseFloat(said, 64)
		_, bad := json.Marshal(n) // no infinity
		return n, err == nil && bad == nil
	}
	return said, true
}

// put asks one question. No text: they decline. The error says that nobody answers.
func put(ctx context.Context, ask asker, text string, choices []string) (string, error) {
	answer, err := ask(ctx, rein.Question{Text: text, Choices: choices})
	switch {
	case err != nil:
		return "", err
	case answer.State == rein.AskAnswered:
		return strings.TrimSpace(answer.Text), nil
	case answer.State == rein.AskDeclined:
		return "", nil
	}
	return "", rein.Errorf(rein.CodeTimeout, "nobody answered")
}

// quoted is what a server says, so that it cannot look like what rein says.
func quoted(text string) string {
	text = rein.Clip(strings.TrimSpace(text), maxWish)
	return "> " + strings.ReplaceAll(strings.ReplaceAll(text, "\r", "\n"), "\n", "\n> ")
}

// clipped is a short text of a server, in one line.
func clipped(text string) string { return rein.Clip(strings.Join(strings.Fields(text), " "), 200) }
