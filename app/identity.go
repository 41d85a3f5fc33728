package app

import (
	"context"
	"os/exec"
	"strings"
	"time"
)

// gitIdentity returns settings of git that say who the user of this machine is, so that commands can commit. The file of
// settings itself is not in their box: it may name programs, and keys.
func (o *owner) gitIdentity(ctx context.Context) string {
	git := ""
	for _, folder := range []string{"/usr/bin", "/bin", "/usr/local/bin"} {
		if found, err := exec.LookPath(folder + "/git"); err == nil && git == "" {
			git = found
		}
	}
	if git == "" {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second) // the settings may include a file that never answers
	defer cancel()
	cmd := exec.CommandContext(ctx, git, "config", "--global", "--includes", "--null", "--get-regexp", `^user\.(name|email)$`)
	cmd.Dir = "/"
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME"} {
		if value := o.setup.env.Get(name); value != "" {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
	}
	out, err := cmd.Output()
	if err != nil {
		return "" // nothing is set
	}
	return identityOf(string(out))
}

// identityOf writes settings as git reads them. Each is a key, a line end, the value and a NUL; of two with one key the last counts.
func identityOf(settings string) string {
	var b strings.Builder
	b.WriteString("[user]\n")
	for setting := range strings.SplitSeq(strings.TrimSuffix(settings, "\x00"), "\x00") {
		key, value, _ := strings.Cut(setting, "\n")
		value = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(value)
		b.WriteString("\t" + strings.TrimPrefix(key, "user.") + " = \"" + value + "\"\n")
	}
	return b.String()
}
