/** Measures JDBC drivers side by side: SDDS, its client without SQL, and other databases. */
@NullMarked
package io.sdds.bench.jdbc;

import org.jspecify.annotations.NullMarked;
