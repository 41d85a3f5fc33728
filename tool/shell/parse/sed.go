package parse

import "strings"

// sedWhy says why a call of sed cannot be judged by its arguments, or "". Scripts of sed can run commands
// and write files; those that only print lines by number, or replace text once, cannot.
func sedWhy(args []Word) string {
	const why = "scripts of sed can run commands and write files"
	scripts := 0
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a.Kind == Unknown:
			return why
		case strings.HasPrefix(a.Text, "-") && len(a.Text) > 1:
			if a.Text == "-e" {
				if i++; i == len(args) || !isPlainScript(args[i].Text) {
					return why
				}
				scripts++
				continue
			}
			switch a.Text {
			case "-n", "-E", "-r", "-i", "-s", "-z", "-u", "--quiet", "--silent", "--in-place", "--version":
			default:
				return why
			}
		case scripts == 0:
			if scripts++; !isPlainScript(a.Text) {
				return why
			}
		}
	}
	return ""
}

// isPlainScript reports whether a script is one command that prints lines, deletes them or replaces text.
func isPlainScript(script string) bool {
	script = strings.TrimLeft(script, "0123456789,$")
	switch script {
	case "p", "d", "=", "q":
		return true
	}
	if len(script) < 4 || script[0] != 's' || strings.ContainsAny(script, "\n;{}") {
		return false
	}
	parts := strings.Split(script[2:], script[1:2])
	return script[1] != '\\' && len(parts) == 3 && strings.Trim(parts[2], "gpIi0123456789") == "" && !strings.HasSuffix(parts[0], `\`) && !strings.HasSuffix(parts[1], `\`)
}
