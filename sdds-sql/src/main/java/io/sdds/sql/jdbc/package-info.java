/** The objects of {@code java.sql}: proxies of those of the engine, with parameters, results, batches and metadata. */
@NullMarked
package io.sdds.sql.jdbc;

import org.jspecify.annotations.NullMarked;
