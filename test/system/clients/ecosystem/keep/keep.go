//go:build suites

// Package keep keeps the modules whose own tests run here in go.mod.
package keep

import (
	_ "github.com/fluxcd/pkg/ssa"
	_ "sigs.k8s.io/gateway-api/apis/v1"
)
