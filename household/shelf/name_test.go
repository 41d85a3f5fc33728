package shelf_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"rein"
	"rein/flow"
	"rein/flow/kit"
	"rein/flow/strict"
	"rein/household/shelf"
)

// A name is reduced to a base name that is safe to show and to look up: no way out of the folder, no
// hidden name, no character that is not seen or that turns the others around.
//
// Covers: RAO-51
// Attack: 45
func TestBaseName(t *testing.T) {
	for name, want := range map[string]string{
		"report.pdf":                     "report.pdf",
		"../../etc/passwd":               "passwd",
		`C:\Users\ann\My Notes (1).txt`:  "My Notes (1).txt",
		"/":                              "file",
		"..":                             "file",
		"...":                            "file",
		"a/..":                           "file",
		". .bashrc":                      "bashrc",
		"a\x00b\nc\rd\x1b[31m.txt":       "abcd_31m.txt",
		"invoice\u202Efdp.exe":           "invoicefdp.exe",
		"zero\u200Bwidth\u200D\uFEFF":    "zerowidth",
		"<script>alert('x')</script>":    "script_",
		"a|b;c`d$e?f*g\"h:i":             "a_b_c_d_e_f_g_h_i",
		"ＦＵＬＬ／width":                     "ＦＵＬＬ_width",
		"r\u00E9sum\u00E9.txt":           "résumé.txt",
		"bad\xff\xfeutf8":                "bad_utf8",
		"  spaces  ":                     "spaces",
		"%2e%2e%2fpasswd":                "_2e_2e_2fpasswd",
		"con\u2028line":                  "con_line",
		"":                               "file",
		strings.Repeat("é", 100):         strings.Repeat("é", 60),
		strings.Repeat("a", 119) + " .x": strings.Repeat("a", 119),
	} {
		if got := shelf.BaseName(name); got != want {
			t.Errorf("%q became %q, want %q", name, got, want)
		}
	}
}

// Whatever the name, what is made of it is short, safe, and stays as it is.
func FuzzBaseName(f *testing.F) {
	for _, seed := range []string{"a.txt", "../x", "\u202E..", " . . ", strings.Repeat("é.", 90), "\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		got := shelf.BaseName(name)
		unsafe := strings.ContainsFunc(got, func(c rune) bool {
			return unicode.IsControl(c) || unicode.Is(unicode.Cf, c) || strings.ContainsRune(`/\:*?"<>|`+"\u2028\u2029", c)
		})
		if got == "" || len(got) > 120 || !utf8.ValidString(got) || unsafe || strings.HasPrefix(got, ".") || shelf.BaseName(got) != got {
			t.Errorf("%q became %q", name, got)
		}
	})
}

// A model of the flow strict is told a file's name as it is on the shelf.
func TestBaseNameIsThatOfStrict(t *testing.T) {
	for _, name := range []string{"a.txt", "../../x y", "\u202E..b", " . c", strings.Repeat("é.", 90), "\xff", "", `d\e:f`, "٣.txt", "e\u0301"} {
		settings, err := json.Marshal(strict.Settings{MaxSteps: 1, RequestInputTimeout: 60, Files: []kit.File{{Name: name}}})
		check(t, err)
		task, err := flow.Kinds().Prepare(rein.Task{Flow: "strict", Settings: settings}, kit.Ceiling{})
		check(t, err)
		var complete strict.Settings
		check(t, json.Unmarshal(task.Settings, &complete))
		if got := shelf.BaseName(name); got != complete.Files[0].Name && utf8.ValidString(name) {
			t.Errorf("%q is %q here and %q there", name, got, complete.Files[0].Name)
		}
	}
}
