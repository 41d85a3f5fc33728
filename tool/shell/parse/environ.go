package parse

import (
	"os/exec"
	"strings"
)

// A Shell runs lines.
type Shell struct{ Path, Name string }

// systemFolders are where shells are looked for. PATH may name a folder that a command can write to.
var systemFolders = []string{"/usr/bin", "/bin", "/usr/local/bin", "/run/current-system/sw/bin"}

// FindShell returns the system's shell to run lines with: bash, else dash, else sh.
func FindShell() (Shell, bool) {
	for _, name := range []string{"bash", "dash", "sh"} {
		for _, folder := range systemFolders {
			if path, err := exec.LookPath(folder + "/" + name); err == nil {
				return Shell{path, name}, true
			}
		}
	}
	return Shell{}, false
}

// Argv is how the shell is started for a line: it reads no files of its own, and knows no aliases.
func (s Shell) Argv(line string) []string {
	if s.Name == "bash" {
		return []string{s.Path, "--noprofile", "--norc", "-c", line}
	}
	return []string{s.Path, "-c", line}
}

// Environ returns an environment without what changes how a shell reads a line, which programs its
// names mean, or what well-known programs run besides.
func Environ(env []string) []string {
	var kept []string
	for _, v := range env {
		name, _, _ := strings.Cut(v, "=")
		if !IsTrap(name) {
			kept = append(kept, v)
		}
	}
	return kept
}

// IsTrap reports whether a variable changes what a line means: it is read by the shell, by the linker,
// or names a program or a file that a well-known program runs.
func IsTrap(name string) bool {
	for _, exact := range strings.Fields(traps) {
		if name == exact || strings.HasSuffix(exact, "*") && strings.HasPrefix(name, exact[:len(exact)-1]) {
			return true
		}
	}
	return name == ""
}

const traps = `BASH_* BASHOPTS SHELLOPTS ENV CDPATH IFS PS0 PS1 PS2 PS4 PROMPT_COMMAND GLOBIGNORE FIGNORE TIMEFORMAT EXECIGNORE INPUTRC
	LD_* DYLD_* GLIBC_TUNABLES GCONV_PATH LOCPATH NLSPATH MALLOC_* HOSTALIASES RES_OPTIONS RESOLV_*
	GIT_* SSH_ASKPASS SUDO_* PAGER MANPAGER LESS* MORE EDITOR VISUAL BROWSER LESSOPEN LESSCLOSE
	RIPGREP_CONFIG_PATH GREP_OPTIONS FIND_* TAR_OPTIONS ZIPOPT UNZIP GZIP XZ_* BZIP* RSYNC_*
	PYTHON* PERL* RUBY* NODE_* LUA_* JAVA_TOOL_OPTIONS _JAVA_OPTIONS CLASSPATH
	GOFLAGS GOTOOLCHAIN GOENV GOROOT GOPROXY CC CXX MAKEFLAGS MAKEFILES MFLAGS CARGO_* RUSTC* RUSTFLAGS npm_config_* NPM_CONFIG_*`
