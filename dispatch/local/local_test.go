package local_test

import (
	"testing"

	"rein/dispatch"
	"rein/dispatch/dispatchtest"
	"rein/dispatch/local"
)

// Covers: ENG-29
func TestContract(t *testing.T) {
	dispatchtest.Run(t, func() dispatch.Dispatcher { return &local.Dispatcher{} })
}

// Covers: ENG-29
func TestContractWithOneSlot(t *testing.T) {
	dispatchtest.Run(t, func() dispatch.Dispatcher { return &local.Dispatcher{Limit: 1} })
}
