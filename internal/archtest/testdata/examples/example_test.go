package examples_test

import (
	"fmt"

	"rein/internal/archtest/testdata/examples"
)

func ExampleNewShown() {
	fmt.Println(examples.NewShown())
	// Output: {}
}

func ExampleNewSilent() {
	examples.NewSilent()
}
