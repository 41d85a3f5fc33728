package parse_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A writer makes lines that are mostly valid, in many ways of writing the same.
type writer struct {
	*rand.Rand
	depth int
}

func (w *writer) one(list ...string) string { return list[w.IntN(len(list))] }

// line is a list of commands.
func (w *writer) line() string {
	w.depth = 0
	var b strings.Builder
	for i := range 1 + w.IntN(3) {
		if i > 0 {
			b.WriteString(w.one(" && ", " || ", "; ", " | ", "\n", "&&", "|", ";", " &&\n", " |\n ", " # note\n"))
		}
		b.WriteString(w.command())
	}
	b.WriteString(w.one("", "", "", "", " # ; s1 x", "\n", " ;", "  ", "&"))
	return b.String()
}

func (w *writer) command() string {
	w.depth++
	defer func() { w.depth-- }()
	if w.depth > 3 || w.IntN(3) > 0 {
		return w.simple()
	}
	switch w.IntN(18) {
	case 0:
		return "( " + w.command() + w.one("", "; "+w.simple()) + " )"
	case 1:
		return "{ " + w.command() + "; }"
	case 2:
		return "if " + w.command() + "; then " + w.command() + w.one("", "; else "+w.command()) + "; fi"
	case 3:
		return "! " + w.simple()
	case 4:
		return w.one("", "", "A=2 ", "B=3 ") + w.one("env", "command", "nohup", "timeout 5", "nice -n 1", "exec", "time -p", "timeout -k 1 5s", "setsid -w", "env A=1") + " " + w.simple()
	case 5:
		return w.one("sh", "bash", "dash") + " " + w.one("-c", "-c", "-ec") + " " + quoted(w.command())
	case 6:
		return "eval " + quoted(w.simple())
	case 7:
		return w.name() + " " + w.one(`"$(`, "$(") + w.simple() + w.one(`)"`, ")")
	case 8:
		return "case " + w.word() + " in " + w.one("a", "*", `"x y"`) + ") " + w.simple() + ";; esac"
	case 9:
		return "for x in " + w.word() + " " + w.word() + "; do " + w.simple() + "; done"
	case 10:
		return "while " + w.one("false", "s9 0") + "; do " + w.simple() + "; done"
	case 11:
		return w.one("(("+w.simple()+"); "+w.simple()+")", "( ("+w.simple()+") )", "(("+w.simple()+"))", "$(("+w.simple()+"))", "$( ("+w.simple()+"))")
	case 12:
		return w.name() + " $(case a in " + w.one("a", "(a") + ") " + w.simple() + ";; esac)"
	case 13:
		return w.name() + " " + w.one(`"${x:-`, "${x:-", "${x#", `"${x%`) + w.one("'", `"`, "a", "}", `\}`, "$(s2 in)", "#") + w.one("}", `}"`)
	case 14:
		return w.one("{ #c\n", "( # it's\n", "if # `\n", "$( # )\n", "! #\n", "#\\\n", "#'\n") + w.simple() + w.one("; }", ")", "; then s1; fi", "")
	default:
		return w.heredoc()
	}
}

// heredoc is a command with a text to read, in which lines look like its end, or like commands.
func (w *writer) heredoc() string {
	var b strings.Builder
	end := w.one("EOF", "E", "E F")
	first := w.one("", "", "", "", " <<A")
	b.WriteString(w.simple() + first + w.one(" <<", "<<", " <<-", " << ", " 0<<"))
	switch end {
	case "E F":
		b.WriteString(w.one("'E F'", `"E F"`, `E\ F`))
	default:
		b.WriteString(w.one(end, end, "'"+end+"'", `"`+end+`"`, `\`+end, end[:1]+`""`+end[1:], end[:1]+"\\\n"+end[1:]))
	}
	b.WriteString(w.one("", " | "+w.name(), "; "+w.simple(), " && "+w.simple(), " # x") + "\n")
	if first != "" {
		b.WriteString(w.one("", "$x\n", "B\n") + "A\n")
	}
	for range w.IntN(5) {
		b.WriteString(w.one(end, "${x:-", "}", "$(s2 '", "')", ")", "s5 after",
			"${x:-\n"+end+"\ns5 after\n}", "$(s2 '\n"+end+"\ns5 after\n')", "${x}"+end+"\ns4 <<'Z'\n"+end+"\ns5 after\nZ", "text", "$x", "`", "\\$(s1 hidden)", "it's \"so\"", " "+end, end+" ", "\t"+end, "\\"+end, end+"\\", "s1 hidden", "$(s2 seen)", "`s3 seen`", "\\", "$(", "'", "a \\", end[:1]+"\\\n"+end[1:]) + "\n")
	}
	return b.String() + w.one(end+"\n", end+"\n", end, "")
}

func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

func (w *writer) simple() string {
	var b strings.Builder
	if w.IntN(6) == 0 {
		b.WriteString(w.one("A=1 ", "lang=x ", "B='x y' ", "C= ", `D="$(s2)" `))
	}
	if w.IntN(12) == 0 {
		b.WriteString(w.one("</dev/null ", "2>/dev/null "))
	}
	b.WriteString(w.name())
	for range w.IntN(4) {
		b.WriteString(w.one(" ", " ", "  ", "\t", " \\\n"))
		b.WriteString(w.word())
	}
	if w.IntN(5) == 0 {
		b.WriteString(w.one(" >/dev/null", " 2>&1", " > out", " >> out", " <in", " >| out", " 2> err", ">out", " >'o ut'"))
	}
	return b.String()
}

// name is one of the programs that record, written in some way.
func (w *writer) name() string {
	n := fmt.Sprint("s", 1+w.IntN(5))
	return w.one(n, n, n, n, `"`+n+`"`, `'`+n+`'`, `\`+n, n[:1]+`""`+n[1:], n[:1]+`\`+n[1:], n[:1]+"\\\n"+n[1:])
}

func (w *writer) word() string {
	var b strings.Builder
	for range 1 + w.IntN(3) {
		b.WriteString(w.one(
			"a", "b-c", "--x=y", "-n", "0", "x.y", "/p/q", "é", "=", "a=b", "+", "%", "@", ",", ":", "^", "#", "!", "-", "..", "]", "}",
			`'q r'`, `''`, `"d e"`, `""`, `"it's"`, `'"'`, `\ `, `\'`, `\"`, `\\`, `\$`, `\;`, `\&`, `\|`, `\(`, `\*`, `\#`, `\~`, `\{`, `"\$x"`, `"\\"`, `"a\b"`, `'\n'`,
			`"*"`, `'?'`, `"{a,b}"`, `"~"`, `'$(s1)'`, "'`s1`'", `"$"`, `"#"`, "'\n'", `";"`, "\\\n", "{}", "a~", `"!"`,
			"$x", "${x}", `"$x"`, "$(s3 in)", "`s3 in`", `"$(s3 "in")"`, "*", "?", "[a]", "~", "{a,b}", "$((1+2))", "$'a'", `$"a"`, "<(s4)", "${x:-$(s5)}", "${x:=v}", "$((x=1))", "&", "}",
		))
	}
	return b.String()
}
