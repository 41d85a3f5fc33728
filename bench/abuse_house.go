package main

import (
	"os/exec"
	"sync/atomic"
)

// abused is rein serve with an owner and a member who takes everything.
type abused struct {
	cmd            *exec.Cmd
	owner, member  *caller
	taken, refused atomic.Int64
}

// count counts what came of a request of the member.
func (h *abused) count(err error) {
	if err != nil {
		h.refused.Add(1)
		return
	}
	h.taken.Add(1)
}
