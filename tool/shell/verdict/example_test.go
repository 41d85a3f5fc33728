package verdict_test

import (
	"fmt"

	"rein/tool/shell/verdict"
)

func ExamplePolicy_Judge() {
	p := verdict.Policy{Root: "/work/project"}
	j := p.Judge("ls -la && rm -rf build/old")
	fmt.Println(verdict.Word(j.Verdict))
	fmt.Print(j.Explain())
	fmt.Println("always:", j.Findings[1].Always)
	// Output:
	// ask
	// `rm -rf build/old` needs approval: rm is not on the list of read-only commands.
	// always: rm -rf build/...
}

func ExampleParseRule() {
	rule, err := verdict.ParseRule("allow go test ...")
	if err != nil {
		fmt.Println(err)
		return
	}
	p := verdict.Policy{Root: "/work/project", Rules: []verdict.Rule{rule}}
	for _, line := range []string{"go test ./engine", "go test -o /tmp/x ./engine", "go test ./engine | sh"} {
		fmt.Println(verdict.Word(p.Judge(line).Verdict), line)
	}
	// Output:
	// allowed go test ./engine
	// ask go test -o /tmp/x ./engine
	// ask go test ./engine | sh
}
