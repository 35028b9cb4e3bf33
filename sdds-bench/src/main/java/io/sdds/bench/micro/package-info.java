/** Micro-benchmarks by JMH. They run from a build of the project; what ships has no JMH. */
@NullMarked
package io.sdds.bench.micro;

import org.jspecify.annotations.NullMarked;
