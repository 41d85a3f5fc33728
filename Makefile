# Needs Go and nothing else. The linters are pinned in internal/tools/go.mod and built by Go when first used.
# If npm is there too, the API is also tested behind Prism and with clients from npm, and if ripgrep or
# Debian's package of it is, grep and glob are compared with it; where CI=true they must be there.

GO    ?= go
TOOL  := $(GO) tool -modfile=internal/tools/go.mod
ARGS  ?=
PRISM := internal/prism/_node
PEERS := internal/realclients/_node
RG    := internal/tools/_bin/rg
GOPLS := internal/tools/_bin/gopls
# The race detector needs a C compiler; without one Go turns cgo off, and we test without it.
RACE   = $(shell [ "$$($(GO) env CGO_ENABLED)" = 1 ] && echo -race $(FAST))
# The same code in another clone is then the same to Go's build cache.
export GOFLAGS += -trimpath
# SQLite is C translated to Go. Its memory is not on Go's heap, so the race detector does not watch it;
# instrumenting that code finds nothing and makes tests take three times as long.
FAST  := $(foreach p,sqlite/lib libc memory,-gcflags=modernc.org/$(p)=-race=false)

.DEFAULT_GOAL := help
.PHONY: help ripgrep gopls build run check test mutants crash hands chaos bench bench-rivals vuln node lint format-check generate generate-check

help: ## print this help
	@echo "usage: make TARGET"
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## build bin/rein
	$(GO) build -trimpath -o bin/rein ./cmd/rein

run: ## run rein (make run ARGS="runs --data DIR")
	$(GO) run ./cmd/rein $(ARGS)

# Labs are skipped here, so a skip is no failure, whatever CI says.
check: format-check ## the fast loop: format, vet, short tests without labs, a rotating sample of sweeps
	$(GO) vet ./...
	CI= LABS= $(GO) run ./internal/testsum -rotate -- -short -vet=off -timeout 5m ./...

test: export LABS = 1
test: ## lint, generated files, all tests and labs under the race detector, five mutants
	@$(MAKE) --no-print-directory -j2 lint generate-check node ripgrep gopls # npm waits for the network
	@if [ -z "$(RACE)" ]; then echo "!!! no C compiler: testing WITHOUT the race detector"; [ "$$CI" != true ] || exit 1; fi
	$(GO) run ./internal/testsum -attacks -show '^TestTail$$|^TestCrash|^TestEscapes$$' -race "$(RACE)" -- -vet=off -timeout 20m ./...
	$(GO) run ./internal/mutants -some 5

mutants: ## break each function of internal/mutants/mutants.md; its tests must notice (MUTANTS=NAME,NAME breaks these)
	$(GO) run ./internal/mutants

crash: ## the full crash matrix: kill after every append, before and after every effect
	LABS=1 REIN_CRASH=full $(GO) test -count=1 -v -timeout 120m ./engine/crash/...

hands: ## whole tasks with the tools that act: a model repairs three modules of other people (make test: one)
	LABS=1 REIN_HANDS=full $(GO) test -count=1 -v -timeout 30m ./internal/hands/...

chaos: ## the server behind a bad network, killed in the middle of texts: many seeds (REIN_CHAOS_SEED=N repeats one)
	LABS=1 REIN_CHAOS=full $(GO) test $(RACE) -count=1 -v -timeout 60m ./server/chaos/...

bench: ## measure rein against the raw loops
	$(GO) run ./bench $(ARGS)

bench-rivals: ## the section work of bench, beside Eino (a module of its own)
	cd bench/rivals && $(GO) build -o ../../bin/rivals .
	$(GO) run ./bench -only work -rival bin/rivals $(ARGS)

vuln: ## look for known vulnerabilities in what rein is built from; without the database nothing is checked, loudly
	$(GO) run ./internal/vuln ./...

node: $(PRISM)/node_modules/.package-lock.json $(PEERS)/node_modules/.package-lock.json ## install with npm what tests need (Prism, eventsource, ws)

$(PRISM)/node_modules/.package-lock.json: $(PRISM)/package-lock.json
	@npm ci --prefix $(PRISM) --ignore-scripts --no-audit --no-fund || { echo "!!! npm failed: the API is NOT tested behind Prism"; [ "$$CI" != true ]; }

$(PEERS)/node_modules/.package-lock.json: $(PEERS)/package-lock.json
	@npm ci --prefix $(PEERS) --ignore-scripts --no-audit --no-fund || { echo "!!! npm failed: the server is NOT tested with clients from npm"; [ "$$CI" != true ]; }

# The package is unpacked, not installed: that needs no root.
ripgrep: ## get ripgrep, which tests compare grep and glob with, if it is not installed
	@command -v rg >/dev/null || [ -x $(RG) ] || { mkdir -p $(dir $(RG)) && dir=$$(mktemp -d) && cd "$$dir" && \
		{ apt-get download -q ripgrep || { apt-get update -q && apt-get download -q ripgrep; }; } >/dev/null 2>&1 && \
		dpkg-deb -x ripgrep_*.deb . && cp usr/bin/rg "$(CURDIR)/$(RG)" && rm -r "$$dir"; } || \
		{ echo "!!! no ripgrep: grep and glob are NOT compared with it"; [ "$$CI" != true ]; }

# It takes minutes to build, so it is built once for this clone.
gopls: ## get gopls, which tests check files with, if it is not installed
	@command -v gopls >/dev/null || [ -x $(GOPLS) ] || GOFLAGS= GOBIN="$(CURDIR)/$(dir $(GOPLS))" $(GO) install -trimpath golang.org/x/tools/gopls@v0.20.0 || \
		{ echo "!!! no gopls: diagnostics are NOT tested"; [ "$$CI" != true ]; }

lint: format-check ## gofumpt, go vet, staticcheck
	$(GO) vet ./...
	$(TOOL) staticcheck ./...

format-check: ## fail if a file is not formatted by gofumpt
	@out=$$($(TOOL) gofumpt -l .) || exit 1; \
	if [ -n "$$out" ]; then echo "not formatted by gofumpt (run: $(TOOL) gofumpt -w FILE):"; echo "$$out"; exit 1; fi

generate: ## write the generated files (docs/internal/coverage.md, docs/api.md, docs/openapi.json, docs/tools.md, the notices of licences)
	$(GO) run ./internal/coverage/cmd
	$(GO) run ./internal/apidoc vocabulary
	$(GO) run ./internal/apidoc docs
	$(GO) run ./internal/tooldoc
	$(GO) run ./internal/licences/gather

generate-check: ## fail if a generated file is stale or a delivered requirement has no test
	$(GO) run ./internal/coverage/cmd -check
	$(GO) run ./internal/apidoc check
	$(GO) run ./internal/tooldoc -check
	$(GO) run ./internal/licences/gather -check
