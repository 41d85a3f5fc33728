package mcp_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"rein"
	"rein/internal/toolname"
	"rein/tool/mcp"
)

// Tools of a server whose names become the same in rein stay apart: each call reaches the tool that its description is of,
// what the settings say is about one of them, and providers that refuse dots see different names too.
func TestNamesStayApart(t *testing.T) {
	t.Parallel()
	native := []string{"a.b", "a_b", "a-b", "A_B", "a.b.c", "a_b.c", "a_b_c"}
	server := sdk.NewServer(&sdk.Implementation{Name: "names", Version: "1"}, nil)
	for _, name := range native {
		sdk.AddTool(server, &sdk.Tool{Name: name, Description: "It is " + name + "."}, func(context.Context, *sdk.CallToolRequest, struct{}) (*sdk.CallToolResult, any, error) {
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: name}}}, nil, nil
		})
	}
	web := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, nil))
	t.Cleanup(web.Close)
	r := newRig(t, func(s *mcp.Server) {
		s.Command, s.Env, s.URL = nil, nil, web.URL
		s.Effects = map[string]rein.Effect{"a.b": rein.Pure}
	}).learn()
	full := r.hub.Tools(mcp.Scope{Household: "home"})
	var reached, wire, pure []string
	for _, name := range full {
		if !toolname.Good(name) {
			t.Errorf("%q is not a name of a tool", name)
		}
		tool := r.tool(name)
		done, err := r.call(name, `{}`)
		r.check(err)
		if want := "It is " + done.Text + ".\n\n(A tool of the MCP server test.)"; tool.Description != want {
			t.Errorf("%s reaches %s, and says %q", name, done.Text, tool.Description)
		}
		reached, wire = append(reached, done.Text), append(wire, toolname.Wire(name))
		if tool.Effect == rein.Pure {
			pure = append(pure, done.Text)
		}
	}
	slices.Sort(reached)
	slices.Sort(native)
	slices.Sort(wire)
	if !slices.Equal(reached, native) || len(slices.Compact(wire)) != len(native) || !slices.Equal(pure, []string{"a.b"}) {
		t.Errorf("reached are %q by %q, for providers %q; pure is %q", reached, full, wire, pure)
	}
	if done, err := r.call("test.a_b", `{}`); err != nil || done.Text != "a_b" {
		t.Errorf("the one whose name needs no change does not keep it: %q %v", done.Text, err)
	}
}
