// A module below OpenFGA's own path may use its internal packages, of which the compiler of conditions is one.
module github.com/openfga/openfga/conditions

go 1.26

require github.com/openfga/openfga v1.22.1
