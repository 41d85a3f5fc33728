package crash

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"rein/sandbox"
)

// childEnv holds the spec of a child. A process that has it is no test but the program under test.
const childEnv = "REIN_CRASH_CHILD"

func TestMain(m *testing.M) {
	sandbox.Init()
	text, isChild := os.LookupEnv(childEnv)
	if !isChild {
		os.Exit(m.Run())
	}
	var s spec
	err := json.Unmarshal([]byte(text), &s)
	if err == nil {
		err = runChild(s)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "child:", err)
		os.Exit(1)
	}
	os.Exit(0)
}
