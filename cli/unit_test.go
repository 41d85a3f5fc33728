package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// unitKeys are what the documented units may say. A misspelt one is ignored by systemd, and protects
// from nothing.
var unitKeys = map[string][]string{
	"Unit": {"Description", "Wants", "After"},
	"Service": {
		"Environment", "EnvironmentFile", "ExecStart", "Restart", "RestartSec", "TimeoutStopSec",
		"DynamicUser", "StateDirectory", "StateDirectoryMode", "WorkingDirectory", "UMask",
		"ProtectSystem", "ProtectHome", "PrivateTmp", "PrivateDevices",
		"NoNewPrivileges", "CapabilityBoundingSet", "AmbientCapabilities", "RestrictSUIDSGID", "RestrictNamespaces", "PrivateUsers",
		"LockPersonality", "MemoryDenyWriteExecute", "SystemCallArchitectures", "SystemCallFilter", "SystemCallErrorNumber",
		"RestrictAddressFamilies", "ProtectProc", "ProcSubset", "ProtectClock", "ProtectControlGroups", "ProtectHostname",
		"ProtectKernelLogs", "ProtectKernelModules", "ProtectKernelTunables", "RestrictRealtime", "RemoveIPC", "KeyringMode",
		"MemoryMax", "TasksMax", "Delegate",
	},
	"Install": {"WantedBy"},
}

// readUnit reads a unit as systemd does: sections, and values by their keys.
func readUnit(t *testing.T, path, text string) map[string][]string {
	t.Helper()
	values, section := map[string][]string{}, ""
	for i, line := range strings.Split(text, "\n") {
		key, value, ok := strings.Cut(line, "=")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]"):
			section = strings.Trim(line, "[]")
		case !ok || !slices.Contains(unitKeys[section], key):
			t.Errorf("%s:%d: [%s] has no key %q", path, i+1, section, line)
		default:
			values[key] = append(values[key], value)
		}
	}
	return values
}

// unitFiles are the units that the documentation shows, and what it must say.
var unitFiles = []struct {
	path string
	user bool
	says map[string]string
}{
	{"../examples/systemd/rein.service", false, map[string]string{
		"ExecStart": "/usr/local/bin/rein serve", "DynamicUser": "yes", "StateDirectory": "rein", "WorkingDirectory": "%S/rein",
		"ProtectSystem": "strict", "ProtectHome": "yes", "PrivateTmp": "yes", "NoNewPrivileges": "yes", "CapabilityBoundingSet": "",
		"RestrictAddressFamilies": "AF_UNIX AF_INET AF_INET6", "SystemCallFilter": "@system-service", "WantedBy": "multi-user.target",
	}},
	// Restart=always would start it again after rein serve quit; RestrictNamespaces would take the sandbox from commands.
	{"../examples/systemd/user/rein.service", true, map[string]string{
		"ExecStart": "/usr/local/bin/rein serve", "EnvironmentFile": "-%E/rein/keys", "Restart": "on-failure", "Delegate": "yes",
		"NoNewPrivileges": "yes", "RestrictSUIDSGID": "yes", "UMask": "0077", "WantedBy": "default.target",
	}},
}

// The units that the documentation shows are those in examples, systemd takes them, and they have what keeps a service
// from the rest of the machine.
//
// Attack: 38
func TestUnit(t *testing.T) {
	t.Parallel()
	for _, u := range unitFiles {
		unit := readText(t, u.path)
		if !strings.Contains(readText(t, "../docs/operations.md"), "```ini\n"+unit+"```\n") {
			t.Errorf("docs/operations.md does not show %s as it is", u.path)
		}
		got := readUnit(t, u.path, unit)
		for key, want := range u.says {
			if len(got[key]) == 0 || got[key][0] != want {
				t.Errorf("%s: %s is %q, want %q", u.path, key, got[key], want)
			}
		}
		if !u.user && !slices.Contains(got["Environment"], "REIN_DATA=%S/rein") {
			t.Errorf("%s: the data is not in the state directory: %q", u.path, got["Environment"])
		}
		verifyUnit(t, unit, u.user)
	}
}

// verifyUnit asks systemd itself, where it is installed.
func verifyUnit(t *testing.T, unit string, user bool) {
	t.Helper()
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Log("systemd is not installed here: our own reader has checked the keys")
		return
	}
	file := filepath.Join(t.TempDir(), "rein.service")
	if err := os.WriteFile(file, []byte(strings.Replace(unit, "/usr/local/bin/rein serve", "/bin/true", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	whose := "--system"
	if user {
		whose = "--user"
	}
	verify := exec.Command(analyze, "verify", "--man=no", whose, file)
	verify.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+t.TempDir()) // that of a log-in, which a build server has not
	if says, err := verify.CombinedOutput(); err != nil || len(says) > 0 {
		t.Errorf("%v: %s", err, says)
	}
	if user { // it has the rights of a person, on purpose
		return
	}
	// 10 is an ordinary service, 0 one that can do nothing; older systemds cannot tell from a file.
	if says, err := exec.Command(analyze, "security", "--offline=true", "--threshold=20", "--no-pager", file).CombinedOutput(); err != nil && strings.Contains(string(says), "exposure") {
		t.Errorf("%v: %s", err, says)
	}
}
