/** Makes statistics of tables from rows: all rows of small tables, a sample of the rows of others. */
@org.jspecify.annotations.NullMarked
package io.sdds.client.internal.analyze;
