package archtest

import (
	"slices"
	"testing"
)

func TestExamples(t *testing.T) {
	t.Parallel()
	wrong, err := CheckExamples(repository, Exampled)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range wrong {
		t.Error(line)
	}
}

// TestPlantedConstructors shows that the check bites.
func TestPlantedConstructors(t *testing.T) {
	t.Parallel()
	wrong, err := CheckExamples("testdata", []string{"examples"})
	want := []string{
		"examples.Fold has no Example: add one to examples/example_test.go",
		"examples.NewSilent: ExampleNewSilent has no // Output:, so nothing runs it",
		"examples.Unix has no Example: add one to examples/example_test.go",
	}
	if err != nil || !slices.Equal(wrong, want) {
		t.Errorf("reported %q, %v", wrong, err)
	}
}
