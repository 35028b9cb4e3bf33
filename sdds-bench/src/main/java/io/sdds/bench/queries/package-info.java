/** Measures queries that bricks evaluate: beside the same queries at the client, and beside other requests. */
@NullMarked
package io.sdds.bench.queries;

import org.jspecify.annotations.NullMarked;
