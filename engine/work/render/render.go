// Package render writes a transcript for a model, and reads tool calls from the text of a model
// that does not support tools. There are four renderings of the same transcript; they differ in
// where calls and results appear. The functions are pure and do not change the messages they get.
package render

import (
	_ "embed"
	"slices"
	"strings"

	"rein"
)

//go:embed untrusted.md
var untrusted string

// Untrusted is what a model is told of outside text.
var Untrusted = strings.TrimSpace(untrusted)

// Which returns the rendering that is used: the one asked for, if the model can read it.
func Which(r rein.Rendering, info rein.ModelInfo) rein.Rendering {
	switch {
	case info.NoText:
		return rein.RenderNative
	case r == rein.RenderJSON, r == rein.RenderLog, r == rein.RenderText:
		return r
	case info.TextOnly: // also after a fallback to a model that knows no tools
		return rein.RenderText
	}
	return rein.RenderNative
}

// For returns the messages as this rendering writes them for a model, and the tools that it is to be
// given natively; where there are none, the tools stand in the text.
//
// It takes any transcript: a call without a result gets one that says so, and a result without a
// call becomes a quoted note of the user. What is added to the instructions comes right after them
// and depends on the tools only, so that a provider's cache of the beginning stays good.
func For(r rein.Rendering, info rein.ModelInfo, messages []rein.Message, offered []rein.Tool) (out []rein.Message, native []rein.Tool) {
	way := Which(r, info)
	head := instructions(messages)
	if nativeTools(way, info) {
		native = offered
	}
	return append(begin(way, info, messages[:head], offered, slices.ContainsFunc(messages, usesTools)), write(way, partsOf(visible(info, messages[head:])))...), native
}

// instructions counts the messages that a conversation begins with and that nobody said.
func instructions(messages []rein.Message) int {
	head := 0
	for head < len(messages) && (messages[head].Role == rein.System || messages[head].Role == rein.Developer) {
		head++
	}
	return head
}

// begin writes the instructions and what is added to them. used says that the conversation has calls or results.
func begin(way rein.Rendering, info rein.ModelInfo, head []rein.Message, offered []rein.Tool, used bool) []rein.Message {
	out := slices.Clone(head)
	if len(offered) > 0 || used {
		out = append(out, rein.Message{Role: rein.Developer, Text: Untrusted})
	}
	if len(offered) > 0 && !nativeTools(way, info) {
		out = append(out, catalogue(offered, writesCalls(way, info)))
	}
	return out
}

// visible returns messages as the model can see them: images are described to one that takes none.
func visible(info rein.ModelInfo, messages []rein.Message) []rein.Message {
	if info.Sees || !slices.ContainsFunc(messages, func(m rein.Message) bool { return len(m.Images) > 0 }) {
		return messages
	}
	messages = slices.Clone(messages)
	for i := range messages {
		messages[i] = messages[i].Described()
	}
	return messages
}

// write writes the conversation.
func write(way rein.Rendering, parts []part) []rein.Message {
	switch way {
	case rein.RenderText:
		return asText(parts)
	case rein.RenderJSON:
		return asJSON(parts)
	case rein.RenderLog:
		return asLog(parts)
	}
	return asNative(parts)
}

func usesTools(m rein.Message) bool {
	return m.Role == rein.ToolRole || len(m.Calls) > 0 || m.Past != nil && m.Role == rein.Developer
}

// nativeTools reports whether the model is given tools by its API.
func nativeTools(way rein.Rendering, info rein.ModelInfo) bool {
	return way == rein.RenderNative || (way == rein.RenderLog && !info.TextOnly)
}

// writesCalls reports whether the model writes its calls as blocks of text. In the JSON rendering it
// writes them as the flow has told it, and the flow reads them.
func writesCalls(way rein.Rendering, info rein.ModelInfo) bool {
	return way == rein.RenderText || (way == rein.RenderLog && info.TextOnly)
}
