package api_test

import (
	"fmt"
	"time"

	"rein/api"
)

// A client chooses the ID of its run, so that a request that is sent twice starts one run. IDs sort
// by the time they were made.
func ExampleNewRunID() {
	noon := time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)
	first, second := api.NewRunID(noon), api.NewRunID(noon.Add(time.Second))
	fmt.Println(len(first), first < second)
	// Output: 25 true
}
