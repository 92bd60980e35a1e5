//go:build suites

// Package suites keeps what the tests of controller-runtime need in go.mod.
package suites

import (
	_ "github.com/onsi/ginkgo/v2"
	_ "github.com/onsi/gomega"
	_ "sigs.k8s.io/controller-runtime/examples/crd/pkg"
)
