package cli

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"rein"
	"rein/api"
	"rein/tool/mcp/mcptest"
)

const mcpScript = `
when tool~"written" user~"Write."
say It is written.

when turn=1 user~"Write."
call demo.write_down {"text":"hello"}

when turn=1 user~"Colour."
call demo.ask {}

when phase=consult
say roses

when turn=1 user~"Poem."
call demo.think {}

when tool~"the model wrote: roses"
say The poem is about roses.

when
say Done.
`

// newPeer is a home with a folder in which an MCP server notes what it did, and the command that starts the server.
func newPeer(t *testing.T, more string) (h *home, did, program string) {
	t.Helper()
	h = newHome(t, more)
	h.write(".config/rein/demo.txt", mcpScript)
	did, program = filepath.Join(h.dir, "did"), filepath.Join(h.dir, "mcptest")
	h.check(os.Mkdir(did, 0o700))
	self, err := os.Executable()
	h.check(err)
	h.check(os.Symlink(self, program))
	return h, did, program
}

// wrote counts what the server was made to write down.
func wrote(did string) int {
	data, _ := os.ReadFile(filepath.Join(did, "written"))
	return strings.Count(string(data), "\n")
}

// wished counts what the server wanted of the model.
func wished(did string) int {
	data, _ := os.ReadFile(filepath.Join(did, "wished"))
	return strings.Count(string(data), "\n")
}

// asked starts a run that is to wait for an approval, and returns the ask.
func (h *home) asked(task string) rein.Ask {
	h.Helper()
	if _, out, code := h.rein("run", "--park", task); code != exitWaits {
		h.Fatalf("exit %d: %s", code, out)
	}
	var ask rein.Ask
	h.check(json.Unmarshal([]byte(strings.SplitN(h.ok("asks", "--json"), "\n", 2)[0]), &ask))
	return ask
}

// An MCP server is added and tested; a run calls its tool after a person agreed, once or for good; a changed definition
// asks again and says so; and after the server is removed its tools are gone.
func TestMCPServer(t *testing.T) {
	t.Parallel()
	h, did, program := newPeer(t, "")
	out := h.ok("mcp", "add", "demo", "--env", mcptest.Env(did)[0], "--", program)
	if !strings.Contains(out, "demo.write_down") || !strings.Contains(out, "each call") {
		t.Fatalf("%s", out)
	}
	if out := h.ok("mcp", "test", "demo"); !strings.Contains(out, "resource test://motto") || !strings.Contains(out, "prompt greet") || !strings.Contains(out, "mcptest 1") {
		t.Errorf("%s", out)
	}
	ask := h.asked("Write.")
	if !strings.Contains(ask.Text, "a tool of the MCP server demo (definition ") || wrote(did) != 0 {
		t.Fatalf("%+v", ask)
	}
	h.ok("answer", string(ask.ID), "--yes", "--scope", "always", "--shown", ask.Shown)
	h.ok("resume", string(ask.Run))
	if wrote(did) != 1 {
		t.Fatalf("it was written %d times", wrote(did))
	}
	h.said(string(ask.Run), "It is written.")
	if out := h.ok("run", "Write."); wrote(did) != 2 {
		t.Errorf("what was allowed for good asks again: %s", out)
	}
	// Another program with the same tools gets the name.
	other := filepath.Join(h.folder("other"), "mcptest")
	h.check(os.Symlink(program, other))
	h.ok("mcp", "remove", "demo")
	h.ok("mcp", "add", "demo", "--env", mcptest.Env(did)[0], "--", other)
	ask = h.asked("Write.")
	if !strings.Contains(ask.Text, "allowed for another program or address of this name") || wrote(did) != 2 {
		t.Errorf("%s", ask.Text)
	}
	h.ok("answer", string(ask.ID), "--no", "--shown", ask.Shown)
	h.ok("resume", string(ask.Run))
	// The server comes back with other words about the same tool.
	h.ok("mcp", "remove", "demo")
	h.ok("mcp", "add", "demo", "--env", mcptest.Changed(did)[0], "--env", mcptest.Changed(did)[1], "--", program)
	ask = h.asked("Write.")
	if !strings.Contains(ask.Text, "has changed the definition of this tool since it was allowed") || wrote(did) != 2 {
		t.Errorf("%s", ask.Text)
	}
	h.ok("mcp", "remove", "demo")
	h.ok("answer", string(ask.ID), "--yes", "--shown", ask.Shown)
	h.ok("resume", string(ask.Run)) // it ends without the tool
	if wrote(did) != 2 || !strings.Contains(h.ok("mcp", "list"), "there are no MCP servers") {
		t.Errorf("it was written %d times", wrote(did))
	}
}

// The policy can ask for a tool of a server, or deny it, by its name; whoever allows it is shown where that is done.
func TestMCPToolInAPolicy(t *testing.T) {
	t.Parallel()
	h, did, program := newPeer(t, "")
	h.ok("mcp", "add", "demo", "--allow", "Write-Down", "--env", mcptest.Env(did)[0], "--", program)
	h.refuses(exitUsage, "rein mcp add --allow write_down", "run", "--yes-to", "demo.write_down", "Write.")
	h.refuses(exitUsage, "there is no tool", "run", "--yes-to", "web.write_down", "Write.")
	h.write(".config/rein/rein.toml", h.text(".config/rein/rein.toml")+"[tools]\ndeny = [\"demo.write_down\"]\n")
	h.rein("run", "Write.")
	if wrote(did) != 0 {
		t.Error("a tool that the policy denies was called")
	}
}

// A run that waits for days goes on with the server after a restart, and rein leaves no program behind.
func TestMCPAfterARestart(t *testing.T) {
	t.Parallel()
	h, did, program := newPeer(t, "")
	h.write(".config/rein/rein.toml", h.text(".config/rein/rein.toml")+"[mcp.servers.demo]\ncommand = [\""+program+"\"]\nenv = [\""+mcptest.Env(did)[0]+"\"]\n")
	s := h.serve()
	ask := h.asked("Write.")
	h.check(s.cmd.Process.Kill())
	_ = s.ended()
	h.ok("answer", string(ask.ID), "--yes", "--shown", ask.Shown)
	s = h.serve()
	s.withToken().finished(ask.Run)
	s.end(syscall.SIGTERM)
	if wrote(did) != 1 {
		t.Errorf("it was written %d times", wrote(did))
	}
	pid := strings.TrimSpace(h.text("did/pid"))
	if _, err := os.Stat("/proc/" + pid); err == nil {
		t.Errorf("process %s is left behind", pid)
	}
}

// What a server wants to know during a call is an ask of the run: a person answers it like any other, and the call goes on.
func TestMCPServerAsks(t *testing.T) {
	t.Parallel()
	h, did, program := newPeer(t, "")
	s := h.serve().withToken()
	h.ok("mcp", "add", "demo", "--env", mcptest.Env(did)[0], "--", program)
	approval := h.asked("Colour.")
	h.ok("answer", string(approval.ID), "--yes", "--shown", approval.Shown)
	var ask rein.Ask
	h.until("the server's question", func() bool {
		line, _, _ := strings.Cut(h.ok("asks", "--json"), "\n")
		return json.Unmarshal([]byte(line), &ask) == nil && ask.Kind == rein.AskQuestion
	})
	if !strings.Contains(ask.Text, "The MCP server demo asks you") || len(ask.Choices) != 2 {
		t.Errorf("%+v", ask)
	}
	h.ok("answer", string(ask.ID), "blue")
	s.finished(approval.Run)
	h.said(string(approval.Run), "accept blue")
}

// A server uses the run's model only if the settings say so: then it is a step of the run that the log shows and the run
// pays for, and nothing but the server's own words reaches the model.
//
// Attack: 85
func TestMCPServerConsultsTheModel(t *testing.T) {
	t.Parallel()
	h, did, program := newPeer(t, "")
	settings := h.text(".config/rein/rein.toml")
	demo := "[mcp.servers.demo]\ncommand = [\"" + program + "\"]\nallow = [\"think\"]\nenv = [\"" + mcptest.Env(did)[0] + "\"]\n"
	h.write(".config/rein/rein.toml", settings+demo)
	if _, out, _ := h.rein("run", "Poem."); strings.Contains(out, "roses") || strings.Contains(out, "for the tool") {
		t.Errorf("the settings do not allow it: %s", out)
	}
	h.write(".config/rein/rein.toml", settings+demo+"sampling = true\n")
	stdout, stderr, code := h.rein("run", "Poem.")
	if code != 0 || !strings.Contains(stdout, "The poem is about roses.") || wished(did) != 2 {
		t.Fatalf("exit %d: %s%s", code, stdout, stderr)
	}
	run := decoded[api.Run](h, strings.SplitN(h.ok("runs", "--json"), "\n", 2)[0]).ID
	h.said(string(run), "asking the model something for the tool")
	h.said(string(run), "the model's answer to the tool")
}

// Over the network nobody adds a server, whatever they may do otherwise; how servers are reached is for admins, and a user
// of another household sees none.
//
// Attack: 85
func TestMCPOverTheNetwork(t *testing.T) {
	t.Parallel()
	h, did, program := newPeer(t, "")
	s := h.serve()
	h.ok("mcp", "add", "demo", "--env", mcptest.Env(did)[0], "--", program)
	h.ok("users", "add", "mia", "member")
	s.withToken()
	for _, body := range []api.NewMCPServer{{Name: "evil", Command: []string{"/bin/sh", "-c", "touch " + did + "/owned"}}, {Name: "evil", URL: "http://169.254.169.254/"}} {
		s.call(http.StatusForbidden, "POST", "/v1/mcp", body)
	}
	s.call(http.StatusForbidden, "DELETE", "/v1/mcp/demo", nil)
	if text := s.call(http.StatusOK, "GET", "/v1/mcp", nil); !strings.Contains(text, "demo.write_down") || !strings.Contains(text, program) {
		t.Errorf("%s", text)
	}
	if out, _, _ := h.rein("doctor"); !strings.Contains(out, "MCP server demo has ") {
		t.Errorf("%s", out)
	}
	s.withToken("--user", "mia")
	if text := s.call(http.StatusOK, "GET", "/v1/mcp", nil); !strings.Contains(text, "demo.write_down") || strings.Contains(text, program) {
		t.Errorf("%s", text)
	}
	s.call(http.StatusForbidden, "POST", "/v1/mcp/demo/test", nil)
	if _, err := os.Stat(did + "/owned"); err == nil {
		t.Error("a command came over the network")
	}
	s.call(http.StatusCreated, "POST", "/v1/runs", api.NewRun{ID: "hers", Task: rein.Task{Messages: []rein.Message{{Role: rein.User, Text: "Write."}}}})
	h.until("her run asks", func() bool { return strings.Contains(s.call(http.StatusOK, "GET", "/v1/asks", nil), "demo.write_down") })
}

// Every door names the server whose tool is called: the log, and /ws. What rein has itself belongs to rein, dots or not.
//
// Covers: RAO-90
func TestMCPServerName(t *testing.T) {
	t.Parallel()
	h, did, program := newPeer(t, "[tools]\nroot = \"files\"\n")
	h.write(".config/rein/files/a.txt", "hello")
	h.write(".config/rein/demo.txt", "when turn=1\ncall demo.echo {\"text\":\"hello\"}\ncall read_file {\"path\":\"a.txt\"}\n\nwhen\nsay Done.\n")
	s := h.serve().withToken()
	h.ok("mcp", "add", "demo", "--allow", "echo", "--env", mcptest.Env(did)[0], "--", program)
	d := s.dialogue("?conversation_id=talk")
	d.says(`{"type":"chat","conversation_id":"talk","agent_mode":false,"content":"Look.","selected_tools":["demo.echo","read_file"]}`)
	seen := d.hears("response_complete")
	run := decoded[api.Run](h, strings.SplitN(h.ok("runs", "--json"), "\n", 2)[0]).ID
	log := s.call(http.StatusOK, "GET", "/v1/runs/"+string(run)+"/events", nil)
	for where, want := range map[string][]string{
		seen: {`"tool_name":"demo.echo","server_name":"demo"`, `"tool_name":"read_file","server_name":"rein"`},
		log:  {`"tool":"demo.echo","server_name":"demo"`, `"tool":"read_file","bound"`},
	} {
		for _, text := range want {
			if !strings.Contains(where, text) {
				t.Errorf("there is no %s in\n%s", text, where)
			}
		}
	}
}

const inputScript = `
when phase=reason
say I ask. {"plan": "ask for the colour", "tools_to_consider": ["request_input"], "finish": false}

when phase=act offered=request_input offered=demo.request_input
call request_input {"question":"Which colour?"}
call demo.request_input {"question":"Which house?"}
call demo.echo {"text":"echoed"}

when phase=observe any~"blue" any~"ours" any~"echoed"
say {"observation": "all answered", "should_continue": false, "final_answer": "Our house is blue."}

when
say Not this.
`

// In agent mode request_input is a question to the person, also while a server is connected that offers a tool of this name,
// and also if the model writes the server before it. The server gets no such call, but those of its other tools.
//
// Covers: RAO-41/mcp
// Attack: 85
func TestRequestInputBesideAServer(t *testing.T) {
	t.Parallel()
	h, did, program := newPeer(t, "")
	h.write(".config/rein/demo.txt", inputScript)
	s := h.serve().withToken()
	h.ok("mcp", "add", "demo", "--allow", "request_input", "--allow", "echo", "--env", mcptest.Env(did)[0], "--", program)
	d := s.dialogue("?conversation_id=talk")
	d.says(`{"type":"chat","conversation_id":"talk","agent_mode":true,"content":"Paint it.","selected_tools":["demo.request_input","demo.echo"]}`)
	all := ""
	for _, c := range [][2]string{{"Which colour?", "blue"}, {"Which house?", "ours"}} {
		asked := d.hears("agent_request_input")
		if all += asked; !strings.Contains(asked, c[0]) {
			t.Fatalf("%s", asked)
		}
		d.says(`{"type":"agent_user_input","conversation_id":"talk","content":"` + c[1] + `"}`)
	}
	all += d.hears("response_complete")
	if !strings.Contains(all, "Our house is blue.") || strings.Contains(all, "you should not see this") || strings.Count(all, `"server_name":"demo"`) != 2 || !strings.Contains(all, `"tool_name":"demo.echo","server_name":"demo"`) {
		t.Errorf("%s", all)
	}
	if _, err := os.Stat(filepath.Join(did, "request_input")); err == nil {
		t.Error("the server got the call")
	}
}
