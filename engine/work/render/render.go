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
	head := 0
	for head < len(messages) && (messages[head].Role == rein.System || messages[head].Role == rein.Developer) {
		head++
	}
	out = slices.Clone(messages[:head])
	if len(offered) > 0 || slices.ContainsFunc(messages, usesTools) {
		out = append(out, rein.Message{Role: rein.Developer, Text: Untrusted})
	}
	if len(offered) > 0 && !nativeTools(way, info) {
		out = append(out, catalogue(offered, writesCalls(way, info)))
	}
	if nativeTools(way, info) {
		native = offered
	}
	parts := partsOf(messages[head:])
	switch way {
	case rein.RenderText:
		out = append(out, asText(parts)...)
	case rein.RenderJSON:
		out = append(out, asJSON(parts)...)
	case rein.RenderLog:
		out = append(out, asLog(parts)...)
	default:
		out = append(out, asNative(parts)...)
	}
	return out, native
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
