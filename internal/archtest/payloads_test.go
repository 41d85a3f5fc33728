package archtest

import (
	"slices"
	"strings"
	"testing"
)

// Logs are read in one way: the root package decodes payloads, journal folds them, and signatures are
// for replays. Only those write that must, and what is exported has a user.
//
// Covers: LAW-1
func TestPayloadsAreReadInOnePlace(t *testing.T) {
	wrong, unused, err := CheckPayloads(repository, "./...")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range slices.Concat(wrong, unused) {
		t.Error(line)
	}
}

// TestPlantedReaders shows that the check bites.
func TestPlantedReaders(t *testing.T) {
	wrong, unused, err := CheckPayloads("testdata/payloads", "./...")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"internal/archtest/testdata/payloads/reads.go:13 decodes Event.Data",
		"internal/archtest/testdata/payloads/reads.go:13 uses Event.Data",
		"internal/archtest/testdata/payloads/reads.go:19 decodes Event.Data",
		"internal/archtest/testdata/payloads/reads.go:19 uses Event.Data",
		"internal/archtest/testdata/payloads/reads.go:22 uses Event.Data",
		"internal/archtest/testdata/payloads/reads.go:27 uses Sig",
		"internal/archtest/testdata/payloads/reads.go:30 uses Sig",
		"internal/archtest/testdata/payloads/reads.go:35 names store.Batch",
		"internal/archtest/testdata/payloads/reads.go:35 names store.Writer",
	}
	if len(unused) != len(Offered)+1 || !strings.Contains(strings.Join(unused, "\n"), "payloads.Lonely is exported") {
		t.Errorf("unused: %s", strings.Join(unused, "\n"))
	}
	if len(wrong) != len(want) {
		t.Fatalf("reported %s", strings.Join(wrong, "\n"))
	}
	for i, line := range wrong {
		if !strings.HasPrefix(line, want[i]) {
			t.Errorf("reported %q, want %q", line, want[i])
		}
	}
}
