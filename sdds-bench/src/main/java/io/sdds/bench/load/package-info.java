/**
 * Load as in Gribble et al. 2000: services that keep so many operations outstanding, or that begin so many a second,
 * and what came of it.
 */
@NullMarked
package io.sdds.bench.load;

import org.jspecify.annotations.NullMarked;
