/** Comparison of SDDS with other stores, by a harness that is not part of this project. */
@NullMarked
package io.sdds.bench.peers;

import org.jspecify.annotations.NullMarked;
