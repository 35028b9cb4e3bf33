/**
 * What JMH's annotation processor makes of the benchmarks. It says nothing of null; so the null checker passes it over.
 */
@NullUnmarked
package io.sdds.bench.micro.jmh_generated;

import org.jspecify.annotations.NullUnmarked;
