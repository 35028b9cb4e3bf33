/** The database engine at the client: an embedded DuckDB, its tables of shipped rows, types, values and errors. */
@NullMarked
package io.sdds.sql.duckdb;

import org.jspecify.annotations.NullMarked;
