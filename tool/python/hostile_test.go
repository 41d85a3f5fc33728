package python_test

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestForgery has code print what looks like calls, and write to the pipe itself. What it prints is printed, and the
// pipe takes calls of fork and wait from the bridge and nothing else.
//
// Covers: TREE-40 TREE-41
func TestForgery(t *testing.T) {
	t.Parallel()
	const frame = `import os, struct, json
def frame(**f):
    data = json.dumps(f).encode()
    return struct.pack(">I", len(data)) + data
`
	for name, c := range map[string]struct{ code, wrong string }{
		"printed":        {frame + "import sys\nsys.stdout.flush()\nos.write(1, frame(call='fork', prompt='evil', nonce='x'))\nos.write(2, frame(call='fork', prompt='evil'))\n1", ""},
		"no nonce":       {frame + "os.write(4, frame(call='fork', prompt='evil'))\nwhile True: pass", "was ended"},
		"wrong nonce":    {frame + "os.write(4, frame(call='fork', prompt='evil', nonce='A' * 26))\nwhile True: pass", "was ended"},
		"another call":   {frame + "import __main__\nos.write(4, frame(call='send', prompt='evil', nonce=__main__._nonce))\nwhile True: pass", "was ended"},
		"unknown field":  {frame + "import __main__\nos.write(4, frame(call='fork', prompt='evil', run='r1', nonce=__main__._nonce))\nwhile True: pass", "was ended"},
		"huge":           {"import os, struct\nos.write(4, struct.pack('>I', 1 << 31))\nwhile True: pass", "was ended"},
		"not JSON":       {"import os, struct\nos.write(4, struct.pack('>I', 4) + b'evil')\nwhile True: pass", "was ended"},
		"cut":            {"import os\nos.write(4, b'\\0\\0')\nos._exit(0)", "exited with code 0"},
		"closed":         {"import os\nos.close(4)\nos.close(3)\nfork('evil')", ""},
		"from a process": {frame + "if os.fork() == 0:\n    os.write(4, frame(call='fork', prompt='evil'))\n    os._exit(0)\nwhile True: pass", "was ended"},
		"inherited":      {"import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'import os; os.write(4, b\"evil\")'], check=True)", "CalledProcessError"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			done, err := d.run(t.Context(), c.code)
			if c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)) {
				t.Errorf("it gave %q, %v", done.Text, err)
			}
			if len(d.calls) > 0 {
				t.Errorf("it made the calls %v", d.calls)
			}
		})
	}
}

// TestForgedCallIsACall lets code that has found out the nonce do by hand what fork does: no more than that.
func TestForgedCallIsACall(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	done, err := d.run(t.Context(), "import __main__\n__main__._ask({'call': 'fork', 'prompt': 'by hand'})['handle']")
	if err != nil || string(done.Data) != `{"value":1}` || len(d.calls) != 1 || d.calls[0] != "fork by hand" {
		t.Errorf("it gave %s, %v and made the calls %v", done.Data, err, d.calls)
	}
}

// TestPythonEscapes has code try to reach what is not in its box: files, the network, other processes, more rights.
//
// Covers: TREE-41
func TestPythonEscapes(t *testing.T) {
	t.Parallel()
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("planted"), 0o644); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	port := listener.Addr().(*net.TCPAddr).Port
	pid := os.Getpid()
	inherited := openMany(t)
	for name, code := range map[string]string{
		"read a file":         fmt.Sprintf("open(%q).read()", secret),
		"list a home":         fmt.Sprintf("import os\nos.listdir(%q)", filepath.Dir(secret)),
		"read shadow":         "open('/etc/shadow').read()",
		"write a system file": "open('/usr/bin/evil', 'w')",
		"write outside":       fmt.Sprintf("open(%q, 'w')", secret+"2"),
		"link out":            fmt.Sprintf("import os\nos.symlink(%q, 'link')\nopen('link').read()", secret),
		"the network":         fmt.Sprintf("import socket\nsocket.create_connection(('127.0.0.1', %d), 5)", port),
		"the internet":        "import socket\ns = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\ns.sendto(b'x', ('8.8.8.8', 53))",
		"another process":     fmt.Sprintf("import os\nos.kill(%d, 0)\nif %d == os.getpid(): raise OSError()", pid, pid),
		"its memory":          fmt.Sprintf("open('/proc/%d/environ', 'rb').read() or [][0]\nif not open('/proc/%d/cmdline').read().startswith('rein'): raise OSError()", pid, pid),
		"become root":         "import os\nos.setuid(0)\nif os.getuid() == 0: 'root'\nelse: raise OSError()",
		"mount":               "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\nif libc.mount(b'none', b'/tmp', b'tmpfs', 0, None) != 0: raise OSError(ctypes.get_errno())",
		"chroot":              "import os\nos.chroot('.')",
		"other descriptors":   openDescriptors,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			done, err := newDesk(t).run(t.Context(), code)
			if err == nil || strings.Contains(done.Text+err.Error(), "planted") {
				t.Errorf("it gave %q, %v", done.Text, err)
			}
		})
	}
	// Outside of a box the same code gets what it wants: else that it fails in one would prove nothing.
	for name, code := range map[string]string{
		"read a file":       fmt.Sprintf("open(%q).read()", secret),
		"list a home":       fmt.Sprintf("import os\nos.listdir(%q)", filepath.Dir(secret)),
		"the network":       fmt.Sprintf("import socket\nsocket.create_connection(('127.0.0.1', %d), 5)", port),
		"another process":   fmt.Sprintf("import os\nos.kill(%d, 0)", pid),
		"other descriptors": openDescriptors,
	} {
		cmd := exec.CommandContext(t.Context(), "python3", "-c", code)
		for range 5 {
			cmd.ExtraFiles = append(cmd.ExtraFiles, inherited)
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s fails without a box too: %v %s", name, err, out)
		}
	}
}

// openDescriptors fails if nothing is open beside what Python itself needs.
const openDescriptors = `import os
def is_open(n):
    try:
        os.fstat(n)
        return True
    except OSError:
        return False
found = [n for n in range(5, 64) if is_open(n)]
if not found: raise OSError('none')
found`

// openMany opens files that must not reach a box, and returns one of them.
func openMany(t *testing.T) (one *os.File) {
	t.Helper()
	for range 20 {
		f, err := os.Open(os.DevNull)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		one = f
	}
	return one
}
