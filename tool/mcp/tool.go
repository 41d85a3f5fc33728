package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"rein"
)

// tool makes the tool that rein offers, of what is pinned.
//
// The settings of the operator hold for the definition that they accepted. When the server changes it, the tool is
// unsafe and asks again, until somebody who can read the new definition accepts it.
//
// Whatever its name, it may look into files, and so into code: nothing but the operator's word says that it cannot.
func (h *Hub) tool(s Server, full string, p Pin) rein.Tool {
	effect := effectOf(s, p.Definition)
	if p.IsChanged() {
		effect = rein.Unsafe
	}
	t := rein.Tool{
		Name: full, Server: s.Name, Description: describe(s, p.Definition), Schema: p.Schema, Effect: effect, Timeout: s.Timeout, Asks: true, Consults: s.Sampling,
		Code: p.IsChanged() || !slices.Contains(s.NoCode, p.Name),
		Do:   func(ctx context.Context, inv rein.Invocation) (rein.Done, error) { return h.call(ctx, s, p, inv) },
	}
	if effect == rein.Pure {
		return t
	}
	t.Rules = true
	t.Show = func(_ context.Context, inv rein.Invocation) (rein.Shown, error) { return show(s, full, p, inv) }
	return t
}

// pattern is what a person allows beyond one call: any call of the tool as it is defined now, of the server as it is reached
// now. It has the hashes of both in it, so that it means nothing when the definition changes, or when another program or
// address gets the name. What was allowed of a server of the household does not hold for one that a folder brings under the
// same name.
func pattern(s Server, full string, p Pin) string { return anyCall(s, full) + pinned(s, p) + ")" }

// pinned names what an approval is for.
func pinned(s Server, p Pin) string { return p.Hash + ", server " + s.Peer() }

func anyCall(s Server, full string) string {
	if s.Place != "" {
		full += " of " + s.Name
	}
	return "any call of " + full + " (definition "
}

// show is what a person is shown of a call, and what the tool decides about it.
func show(s Server, full string, p Pin, inv rein.Invocation) (rein.Shown, error) {
	held, granted := slices.Concat(inv.Granted.Session, inv.Granted.Always), pattern(s, full, p)
	verdict, why := rein.MustAsk, "calls of MCP tools ask"
	switch {
	case slices.Contains(held, granted):
		verdict, why = rein.Allowed, "somebody allowed "+granted
	case !p.IsChanged() && slices.Contains(s.Allow, p.Name):
		verdict, why = rein.Allowed, "the settings of MCP server "+s.Name+" allow it"
	}
	text := fmt.Sprintf("%s, a tool of the MCP server %s (definition %s), with %s", full, s.Name, pinned(s, p), inv.Args)
	if s.Sampling {
		text += "\nMeanwhile the server may ask your model for texts, which this run pays for."
	}
	if note := changedNote(s, full, p, held); note != "" {
		text += "\n" + note
	}
	return rein.Shown{Text: text, Ruling: rein.Ruling{Verdict: verdict, Why: why, Session: []string{granted}, Always: []string{granted}}}, nil
}

// changedNote says that something was allowed for another definition, or for another server.
func changedNote(s Server, full string, p Pin, held []string) string {
	allowed := func(what string) bool {
		return slices.ContainsFunc(held, func(pattern string) bool { return strings.HasPrefix(pattern, anyCall(s, full)+what) })
	}
	switch {
	case slices.Contains(held, pattern(s, full, p)):
		return ""
	case allowed(p.Hash):
		return "It was allowed for another program or address of this name, so that no longer holds."
	case allowed(""):
		return "The server has changed the definition of this tool since it was allowed, so that no longer holds."
	case p.IsChanged():
		return "The server has changed the definition of this tool, so the settings for it no longer hold: rein mcp accept " + p.Server + " accepts the new one."
	}
	return ""
}
