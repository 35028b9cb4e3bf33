/**
 * The tables of a cluster as a schema of SQL: their types, columns, records, statistics, and the plans that are kept.
 */
@NullMarked
package io.sdds.sql.schema;

import org.jspecify.annotations.NullMarked;
