package minilm_test

import (
	"context"
	"fmt"

	"rein/vault/minilm"
)

// The vector of a question is nearest to that of the text that answers it: vectors are one long, so
// their product says how near they are.
func Example() {
	model := minilm.New()
	texts := []string{
		"When do the backups run?",
		"Copies are written to the NAS at 3 in the morning.",
		"Preheat the oven to 180 degrees.",
	}
	vectors, err := model.Embed(context.Background(), texts)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, text := range texts[1:] {
		var near float32
		for j, v := range vectors[i+1] {
			near += v * vectors[0][j]
		}
		fmt.Println(near > 0.2, text)
	}
	// Output:
	// true Copies are written to the NAS at 3 in the morning.
	// false Preheat the oven to 180 degrees.
}

// A text that is longer than the model can read is cut between words, and each part has its vector.
func ExampleModel_Windows() {
	text := ""
	for i := range 200 {
		text += fmt.Sprintf("Line %d.\n", i+1)
	}
	for _, w := range minilm.New().Windows(text, minilm.MaxTokens) {
		part := text[w.Start:w.End]
		fmt.Printf("%q ... %q\n", part[:9], part[len(part)-9:])
	}
	// Output:
	// "Line 1.\nL" ... "\nLine 67."
	// "Line 68.\n" ... "Line 134."
	// "Line 135." ... "Line 200."
}
