/**
 * Classes that the annotation processor of JMH generates from the benchmarks. They have no null annotations, so the
 * null checker skips this package.
 */
@NullUnmarked
package io.sdds.bench.micro.jmh_generated;

import org.jspecify.annotations.NullUnmarked;
