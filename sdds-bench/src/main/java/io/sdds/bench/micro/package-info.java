/** Micro-benchmarks that use JMH. They run from a build of the project, because the distribution does not hold JMH. */
@NullMarked
package io.sdds.bench.micro;

import org.jspecify.annotations.NullMarked;
