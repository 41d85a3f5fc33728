package app

import (
	"context"
	"os/exec"
	"slices"

	"rein/api"
)

// checkMCP looks at the MCP servers: those of the settings whose programs are missing, and what the process that has the
// data open knows of all of them. It starts none.
func (d *doctor) checkMCP(ctx context.Context) {
	if d.settings == nil {
		return
	}
	var missing []string
	for name, s := range d.settings.MCP {
		if !s.IsLocal() {
			continue
		}
		if _, err := exec.LookPath(s.Command[0]); err != nil {
			missing = append(missing, name)
			d.find(Warn, "mcp", "install it, or correct command in [mcp.servers."+name+"]", "MCP server %s: there is no program %s", name, s.Command[0])
		}
	}
	a := Dial(ctx, d.Place)
	if a == nil {
		return
	}
	all, err := a.MCPServers(ctx)
	if err != nil {
		return // it is another version of rein
	}
	for _, s := range all {
		switch {
		case slices.Contains(missing, s.Name):
		case s.Error != "":
			d.find(Warn, "mcp", d.tip("mcp test "+s.Name)+" tries it", "%s", s.Error)
		case slices.ContainsFunc(s.Tools, func(t api.MCPTool) bool { return t.Changed }):
			d.find(Warn, "mcp", "look at "+d.tip("mcp list")+", then "+d.tip("mcp accept "+s.Name), "MCP server %s has changed tools, so the settings for them do not hold", s.Name)
		default:
			d.find(Fine, "mcp", "", "MCP server %s has %d tools", s.Name, len(s.Tools))
		}
	}
}
