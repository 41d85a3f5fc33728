package parse_test

import (
	"fmt"

	"rein/tool/shell/parse"
)

func ExampleParse() {
	line := parse.Parse(`timeout 5 grep -n "a b" *.md > out.txt && sudo rm x`)
	for _, p := range line.Parts {
		switch {
		case p.Kind == parse.Opaque:
			fmt.Println(p.Name(), "is opaque:", p.Why)
		case p.Kind == parse.Redirect:
			fmt.Println(p.Mode, p.Path.Text)
		default:
			fmt.Println(p.Name(), "with", len(p.Argv)-1, "arguments, known in advance:", p.IsKnown())
		}
	}
	fmt.Println("understood:", line.IsUnderstood())
	// Output:
	// write out.txt
	// grep with 3 arguments, known in advance: false
	// sudo is opaque: it runs as another user
	// rm with 1 arguments, known in advance: true
	// understood: false
}
